#include "runtime/execute/serve.hpp"

#include "runtime/execute/adapter.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tioc::execute {

using namespace std::chrono_literals;

bool serve(LineStream& lines, Player& player) {
  TimePoint zero = Clock::now();
  std::vector<std::string> answers;
  while (!player.hasEnded()) {
    std::optional<TimePoint> wake;
    if (player.unit())
      if (const auto next = player.next())
        wake = instantOf(zero, *next, *player.unit());
    std::string line;
    const LineStream::Got got = lines.receive(line, wake);
    if (got == LineStream::Got::Closed)
      return true;
    const auto now = [&] { return player.unit() ? unitsSince(zero, Clock::now(), *player.unit()) : ir::Rational(0); };
    answers.clear();
    if (got == LineStream::Got::Line) {
      const bool started = player.unit().has_value();
      player.hear(line, now(), answers);
      if (!started)
        zero = Clock::now();
    } else if (got == LineStream::Got::Nothing) {
      player.run(now(), answers);
    } else {
      return false;
    }
    for (const std::string& answer : answers)
      if (!lines.send(answer, Clock::now() + 10s))
        return false;
  }
  return true;
}

Listener::~Listener() {
  if (fd_ >= 0)
    close(fd_);
}

std::optional<std::string> Listener::open(const std::string& host, uint16_t port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found); error != 0)
    return host + ": " + gai_strerror(error);
  fd_ = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const bool bound = fd_ >= 0 && bind(fd_, found->ai_addr, found->ai_addrlen) == 0 && listen(fd_, 16) == 0;
  freeaddrinfo(found);
  if (!bound)
    return host + ":" + std::to_string(port) + ": " + strerror(errno);
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                              : reinterpret_cast<sockaddr_in&>(address).sin_port);
  return std::nullopt;
}

LineStream Listener::accept() {
  while (true) {
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return {fd, fd};
    }
    if (errno != EINTR && errno != ECONNABORTED)
      return {};
  }
}

} // namespace tioc::execute
