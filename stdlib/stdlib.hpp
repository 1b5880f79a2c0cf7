#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tioc::stdlib {

/// The text of a module of the standard library by its file name (`tick.tio`), or of a file that generated suites build
/// on by its path (`cpp/tioc_test.hpp`, `ttcn3/TioBase.ttcn`), or nothing. The texts are part of the program.
std::optional<std::string> source(const std::string& file);

/// The file names of all modules.
std::vector<std::string> files();

} // namespace tioc::stdlib
