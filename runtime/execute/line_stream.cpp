#include "runtime/execute/line_stream.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace tioc::execute {

namespace {

/// Writing to a pipe that nobody reads must be an error here and not the end of the program.
class WithoutPipeSignal {
public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    wasPending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec now{};
    if (!wasPending_)
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool wasPending_ = false;
};

/// Whether the descriptor is ready before the time is over.
bool waitFor(int fd, short events, std::optional<TimePoint> until) {
  while (true) {
    timespec left{};
    if (until) {
      const auto rest = std::max(std::chrono::nanoseconds(0),
                                 std::chrono::duration_cast<std::chrono::nanoseconds>(*until - Clock::now()));
      left.tv_sec = static_cast<time_t>(rest.count() / 1'000'000'000);
      left.tv_nsec = rest.count() % 1'000'000'000;
    }
    pollfd entry{fd, events, 0};
    const int ready = ppoll(&entry, 1, until ? &left : nullptr, nullptr);
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

} // namespace

LineStream::LineStream(int in, int out) : in_(in), out_(out) {}

LineStream::~LineStream() {
  close();
}

LineStream::LineStream(LineStream&& other) noexcept
    : in_(std::exchange(other.in_, -1)), out_(std::exchange(other.out_, -1)), buffer_(std::move(other.buffer_)),
      scanned_(other.scanned_), ended_(other.ended_) {}

LineStream& LineStream::operator=(LineStream&& other) noexcept {
  close();
  in_ = std::exchange(other.in_, -1);
  out_ = std::exchange(other.out_, -1);
  buffer_ = std::move(other.buffer_);
  scanned_ = other.scanned_;
  ended_ = other.ended_;
  return *this;
}

void LineStream::close() {
  if (out_ >= 0 && out_ != in_)
    ::close(out_);
  if (in_ >= 0)
    ::close(in_);
  in_ = out_ = -1;
}

void LineStream::closeOutput() {
  if (out_ == in_)
    shutdown(out_, SHUT_WR);
  else if (out_ >= 0)
    ::close(std::exchange(out_, -1));
}

bool LineStream::takeLine(std::string& line) {
  const size_t end = buffer_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return false;
  }
  line.assign(buffer_, 0, end);
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  buffer_.erase(0, end + 1);
  scanned_ = 0;
  return true;
}

LineStream::Got LineStream::receive(std::string& line, std::optional<TimePoint> until) {
  while (true) {
    if (takeLine(line))
      return Got::Line;
    if (buffer_.size() > kMostBytes)
      return Got::TooLong;
    if (ended_ || in_ < 0)
      return Got::Closed;
    if (!waitFor(in_, POLLIN, until))
      return Got::Nothing;
    char bytes[16384];
    const ssize_t count = ::read(in_, bytes, sizeof bytes);
    if (count > 0)
      buffer_.append(bytes, static_cast<size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
      ended_ = true;
  }
}

bool LineStream::send(std::string_view line, TimePoint until) {
  const WithoutPipeSignal guard;
  std::string bytes(line);
  bytes += '\n';
  size_t done = 0;
  while (done < bytes.size()) {
    if (out_ < 0 || !waitFor(out_, POLLOUT, until))
      return false;
    // What is ready takes that much without waiting; the descriptor may be shared, so its mode is left as it is.
    const ssize_t count = ::write(out_, bytes.data() + done, std::min<size_t>(bytes.size() - done, PIPE_BUF));
    if (count > 0)
      done += static_cast<size_t>(count);
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  return true;
}

} // namespace tioc::execute
