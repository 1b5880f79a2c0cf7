#include "runtime/execute/adapter.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

namespace tioc::execute {

using namespace std::chrono_literals;
using ir::Rational;

Rational unitsSince(TimePoint zero, TimePoint now, const Rational& unit) {
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - zero).count();
  return Rational(passed, 1'000'000'000) / unit;
}

TimePoint instantOf(TimePoint zero, const Rational& time, const Rational& unit) {
  const std::optional<int64_t> count = (-(-(time * unit) * Rational(1'000'000'000)).floor()).toInt64();
  constexpr int64_t kMost = int64_t{100} * 365 * 24 * 3600 * 1'000'000'000 / 2;
  return zero + std::chrono::nanoseconds(count ? std::min(*count, kMost) : kMost);
}

// ---- process

std::optional<std::string> ProcessAdapter::open() {
  close();
  std::array<int, 2> toChild{-1, -1};
  std::array<int, 2> fromChild{-1, -1};
  if (pipe2(toChild.data(), O_CLOEXEC) != 0)
    return std::string("no pipe: ") + strerror(errno);
  if (pipe2(fromChild.data(), O_CLOEXEC) != 0) {
    ::close(toChild[0]);
    ::close(toChild[1]);
    return std::string("no pipe: ") + strerror(errno);
  }
  const std::string& command = command_;
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0); // so that all its processes can be ended together
    dup2(toChild[0], STDIN_FILENO);
    dup2(fromChild[1], STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  ::close(toChild[0]);
  ::close(fromChild[1]);
  lines_ = LineStream(fromChild[0], toChild[1]);
  if (child < 0) {
    lines_.close();
    return std::string("no process: ") + strerror(errno);
  }
  setpgid(child, child);
  child_ = child;
  return std::nullopt;
}

/// Leaves the process to be waited for, so that its id stays its own.
bool ProcessAdapter::hasExitedBy(TimePoint until) {
  for (auto pause = 200us;; pause = std::min<std::chrono::microseconds>(pause * 2, 10ms)) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
      return true;
    if (Clock::now() >= until)
      return false;
    std::this_thread::sleep_for(pause);
  }
}

void ProcessAdapter::close() {
  lines_.close();
  if (child_ < 0)
    return;
  if (!hasExitedBy(Clock::now() + 300ms)) {
    kill(-child_, SIGTERM);
    hasExitedBy(Clock::now() + 300ms);
  }
  kill(-child_, SIGKILL); // and what it has started
  waitpid(child_, nullptr, 0);
  child_ = -1;
}

// ---- TCP

namespace {

int connectTo(const addrinfo& address, TimePoint until) {
  const int fd = socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (fd < 0)
    return -1;
  int error = connect(fd, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    pollfd entry{fd, POLLOUT, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    socklen_t size = sizeof error;
    if (poll(&entry, 1, static_cast<int>(std::max<int64_t>(0, left.count()))) <= 0)
      error = ETIMEDOUT;
    else
      getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
  }
  ::close(fd);
  errno = error;
  return -1;
}

} // namespace

std::optional<std::string> TcpAdapter::open() {
  close();
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &found); error != 0)
    return host_ + ":" + port_ + ": " + gai_strerror(error);
  // A server that serves one connection after the other may still be busy with the last one.
  const TimePoint until = Clock::now() + 2s;
  int fd = -1;
  int error = 0;
  while (true) {
    for (const addrinfo* address = found; address && fd < 0; address = address->ai_next) {
      fd = connectTo(*address, until);
      error = errno;
    }
    if (fd >= 0 || error != ECONNREFUSED || Clock::now() >= until)
      break;
    std::this_thread::sleep_for(20ms);
  }
  freeaddrinfo(found);
  if (fd < 0)
    return host_ + ":" + port_ + ": " + strerror(error);
  lines_ = LineStream(fd, fd);
  return std::nullopt;
}

// ---- model

std::optional<std::string> ModelAdapter::open() {
  player_.emplace(*machine_, options_);
  ++options_.seed;
  pending_.clear();
  taken_ = 0;
  return std::nullopt;
}

Rational ModelAdapter::now() const {
  return player_->unit() ? unitsSince(zero_, Clock::now(), *player_->unit()) : Rational(0);
}

bool ModelAdapter::send(const std::string& line, TimePoint) {
  if (!player_ || player_->hasEnded())
    return false;
  const bool started = player_->unit().has_value();
  player_->hear(line, now(), pending_);
  if (!started)
    zero_ = Clock::now();
  return true;
}

LineStream::Got ModelAdapter::receive(std::string& line, TimePoint until) {
  if (!player_)
    return LineStream::Got::Closed;
  while (taken_ == pending_.size()) {
    pending_.clear();
    taken_ = 0;
    if (player_->hasEnded())
      return LineStream::Got::Closed;
    if (!player_->unit())
      return LineStream::Got::Nothing; // in virtual time it answers at once or not at all
    const std::optional<Rational> next = player_->next();
    const TimePoint wake = next ? std::min(until, instantOf(zero_, *next, *player_->unit())) : until;
    std::this_thread::sleep_until(wake);
    player_->run(now(), pending_);
    if (pending_.empty() && Clock::now() >= until)
      return LineStream::Got::Nothing;
  }
  line = std::move(pending_[taken_++]);
  return LineStream::Got::Line;
}

} // namespace tioc::execute
