#pragma once

#include "driver/driver.hpp"

#include <optional>
#include <string>

namespace tioc::driver {

/// The file's content, standard input for `-`; nothing after a message.
std::optional<std::string> readInput(const std::string& path, Io& io);

/// As above without a message, for places that are tried in turn.
std::optional<std::string> readIfPresent(const std::string& path);

/// Replaces the file as a whole or leaves it as it is; false after a message.
bool writeFile(const std::string& path, const std::string& content, Io& io);

} // namespace tioc::driver
