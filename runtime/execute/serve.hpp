#pragma once

#include "runtime/execute/line_stream.hpp"
#include "runtime/execute/player.hpp"

#include <string>

namespace tioc::execute {

/// Plays a system over lines until the tester closes them, or the player has ended. False if the lines broke.
bool serve(LineStream& lines, Player& player);

/// Waits for testers on a TCP port.
class Listener {
public:
  Listener() = default;
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// `port` 0: one that is free. Returns what is wrong, or nothing.
  std::optional<std::string> open(const std::string& host, uint16_t port);
  uint16_t port() const { return port_; }
  /// The next tester; not open if there will be none.
  LineStream accept();

private:
  int fd_ = -1;
  uint16_t port_ = 0;
};

} // namespace tioc::execute
