// What generated GoogleTest suites run on: exact numbers, values on the wire, the way to the system under test, and a
// run of one test. Standard C++17 and POSIX; nothing else is needed.
//
// A suite talks to the system through an Adapter. Those for systems that speak tio/1 over TCP or as a child process are
// here; for any other system implement the three functions of Adapter and set `tioc::adapterFactory()`.
//
// Environment, read by `environmentAdapter` and `Run`:
//   TIOC_SUT        tcp:HOST:PORT or exec:COMMAND
//   TIOC_TIME       real (default) or virtual
//   TIOC_UNIT       seconds that a time unit takes, instead of the model's timescale
//   TIOC_TOLERANCE  in time units, at most the suite's; in virtual time there is none
// A build can define TIOC_DEFAULT_SUT and so on as texts, for where the environment says nothing.
#pragma once

#ifndef TIOC_DEFAULT_SUT
#define TIOC_DEFAULT_SUT nullptr
#endif
#ifndef TIOC_DEFAULT_TIME
#define TIOC_DEFAULT_TIME nullptr
#endif
#ifndef TIOC_DEFAULT_UNIT
#define TIOC_DEFAULT_UNIT nullptr
#endif
#ifndef TIOC_DEFAULT_TOLERANCE
#define TIOC_DEFAULT_TOLERANCE nullptr
#endif

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tioc {

// ---- exact numbers

/// A value of the test does not exist or cannot be held: a division by zero, an index out of range, a number too large.
/// It ends the test as inconclusive; it never wraps or rounds.
struct NoValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An exact fraction in lowest terms. Integers are fractions with the denominator 1.
class Number {
public:
  __extension__ typedef __int128 Wide;

  Number() = default;
  template <class Int, class = std::enable_if_t<std::is_integral<Int>::value>>
  Number(Int value) : top_(value) {}

  /// Reads `12`, `-3`, `0.25` or `1/3`.
  static std::optional<Number> parse(const std::string& text) {
    size_t i = !text.empty() && text[0] == '-' ? 1 : 0;
    size_t begin = i;
    Wide top = 0, bottom = 1;
    for (; i < text.size() && isDigit(text[i]); ++i)
      top = plus(times(top, 10), text[i] - '0');
    if (i == begin)
      return std::nullopt;
    if (i < text.size() && text[i] == '.') {
      for (++i; i < text.size() && isDigit(text[i]); ++i) {
        top = plus(times(top, 10), text[i] - '0');
        bottom = times(bottom, 10);
      }
    } else if (i < text.size() && text[i] == '/') {
      for (bottom = 0, ++i; i < text.size() && isDigit(text[i]); ++i)
        bottom = plus(times(bottom, 10), text[i] - '0');
    }
    if (i != text.size() || bottom == 0)
      return std::nullopt;
    return Number(text[0] == '-' ? -top : top, bottom);
  }
  /// The number that a text of the generated code states.
  static Number of(const char* text) {
    std::optional<Number> value = parse(text);
    if (!value)
      throw NoValue(std::string("'") + text + "' is no number");
    return *value;
  }

  bool isInteger() const { return bottom_ == 1; }
  Number floor() const { return Number(top_ / bottom_ - (top_ % bottom_ < 0 ? 1 : 0), 1); }
  Wide wide() const { return floor().top_; }

  friend Number operator-(const Number& a) { return Number(minus(0, a.top_), a.bottom_); }
  friend Number operator+(const Number& a, const Number& b) {
    return Number(plus(times(a.top_, b.bottom_), times(b.top_, a.bottom_)), times(a.bottom_, b.bottom_));
  }
  friend Number operator-(const Number& a, const Number& b) { return a + -b; }
  friend Number operator*(const Number& a, const Number& b) {
    return Number(times(a.top_, b.top_), times(a.bottom_, b.bottom_));
  }
  friend Number operator/(const Number& a, const Number& b) {
    if (b.top_ == 0)
      throw NoValue("a division by zero");
    return Number(times(a.top_, b.bottom_), times(a.bottom_, b.top_));
  }
  friend bool operator==(const Number& a, const Number& b) { return a.top_ == b.top_ && a.bottom_ == b.bottom_; }
  friend bool operator!=(const Number& a, const Number& b) { return !(a == b); }
  friend bool operator<(const Number& a, const Number& b) {
    return times(a.top_, b.bottom_) < times(b.top_, a.bottom_);
  }
  friend bool operator>(const Number& a, const Number& b) { return b < a; }
  friend bool operator<=(const Number& a, const Number& b) { return !(b < a); }
  friend bool operator>=(const Number& a, const Number& b) { return !(a < b); }

  std::string text() const { return bottom_ == 1 ? text(top_) : text(top_) + "/" + text(bottom_); }
  friend std::ostream& operator<<(std::ostream& out, const Number& number) { return out << number.text(); }

private:
  Number(Wide top, Wide bottom) : top_(top), bottom_(bottom) {
    Wide a = top < 0 ? minus(0, top) : top, b = bottom < 0 ? minus(0, bottom) : bottom;
    while (b != 0) {
      Wide rest = a % b;
      a = b;
      b = rest;
    }
    if (bottom_ < 0)
      a = -a;
    top_ /= a;
    bottom_ /= a;
  }

  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static void check(bool overflow) {
    if (overflow)
      throw NoValue("a number that needs more than 128 bits");
  }
  static Wide plus(Wide a, Wide b) {
    Wide sum = 0;
    check(__builtin_add_overflow(a, b, &sum));
    return sum;
  }
  static Wide minus(Wide a, Wide b) {
    Wide difference = 0;
    check(__builtin_sub_overflow(a, b, &difference));
    return difference;
  }
  static Wide times(Wide a, Wide b) {
    Wide product = 0;
    check(__builtin_mul_overflow(a, b, &product));
    return product;
  }
  static std::string text(Wide value) {
    std::string digits;
    for (Wide rest = value; rest != 0 || digits.empty(); rest /= 10)
      digits.insert(digits.begin(), static_cast<char>('0' + (rest % 10 < 0 ? -(rest % 10) : rest % 10)));
    return value < 0 ? "-" + digits : digits;
  }

  Wide top_ = 0;
  Wide bottom_ = 1;
};

/// a = quotient * b + remainder with 0 <= remainder < |b|, on integers.
inline Number quotient(const Number& a, const Number& b) {
  return b < 0 ? -(a / -b).floor() : (a / b).floor();
}
inline Number remainder(const Number& a, const Number& b) {
  return a - quotient(a, b) * b;
}

/// The element at an index, and a copy with another one there.
template <class T, size_t N>
T at(const std::array<T, N>& array, const Number& index) {
  if (!index.isInteger() || index < 0 || index >= static_cast<int64_t>(N))
    throw NoValue("the index " + index.text() + " is out of range");
  return array[static_cast<size_t>(index.wide())];
}
template <class T, size_t N>
std::array<T, N> with(std::array<T, N> array, const Number& index, const typename std::array<T, N>::value_type& value) {
  at(array, index);
  array[static_cast<size_t>(index.wide())] = value;
  return array;
}
/// A copy of a record with another value in a field.
template <class Record, class T, class Value>
Record with(Record record, T Record::*field, const Value& value) {
  record.*field = value;
  return record;
}

// ---- values on the wire

/// A JSON value. Numbers keep their digits.
struct Json {
  enum class Kind { Null, Bool, Number, String, List, Object };

  Kind kind = Kind::Null;
  bool flag = false;
  std::string text; ///< String, and the digits of a Number
  std::vector<Json> list;
  std::vector<std::pair<std::string, Json>> members;

  static Json boolean(bool value) {
    Json json{Kind::Bool};
    json.flag = value;
    return json;
  }
  static Json string(std::string value) { return Json{Kind::String, std::move(value)}; }
  /// Numbers that a double cannot hold travel as strings.
  static Json number(const tioc::Number& value) {
    std::string digits = value.text();
    return Json{value.isInteger() && digits.size() <= 15 ? Kind::Number : Kind::String, std::move(digits)};
  }
  static Json array(std::vector<Json> values) {
    Json json{Kind::List};
    json.list = std::move(values);
    return json;
  }
  static Json object(std::vector<std::pair<std::string, Json>> values) {
    Json json{Kind::Object};
    json.members = std::move(values);
    return json;
  }

  Json(Kind kind = Kind::Null, std::string text = "") : kind(kind), text(std::move(text)) {}

  const Json* member(const std::string& name) const {
    for (const auto& one : members)
      if (one.first == name)
        return &one.second;
    return nullptr;
  }

  std::string dump() const {
    std::string result;
    switch (kind) {
    case Kind::Null:
      return "null";
    case Kind::Bool:
      return flag ? "true" : "false";
    case Kind::Number:
      return text;
    case Kind::String:
      return quoted(text);
    case Kind::List:
      for (const Json& one : list)
        result += (result.empty() ? "" : ",") + one.dump();
      return "[" + result + "]";
    case Kind::Object:
      for (const auto& one : members)
        result += (result.empty() ? "" : ",") + quoted(one.first) + ":" + one.second.dump();
      return "{" + result + "}";
    }
    return result;
  }

  static std::optional<Json> parse(const std::string& text);

private:
  static std::string quoted(const std::string& text) {
    static const char kHex[] = "0123456789abcdef";
    std::string result = "\"";
    for (char c : text) {
      auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        result += '\\';
      if (code < 0x20)
        result += std::string("\\u00") + kHex[code >> 4] + kHex[code & 15];
      else
        result += c;
    }
    return result + "\"";
  }
};

class JsonReader {
public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  std::optional<Json> document() {
    Json json;
    if (!read(json, 0))
      return std::nullopt;
    space();
    return at_ == text_.size() ? std::optional<Json>(std::move(json)) : std::nullopt;
  }

private:
  void space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]))
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  bool word(const char* expected) {
    if (text_.compare(at_, std::strlen(expected), expected) != 0)
      return false;
    at_ += std::strlen(expected);
    return true;
  }

  bool read(Json& json, int level) {
    space();
    if (at_ == text_.size() || level == 64)
      return false;
    switch (text_[at_]) {
    case '{':
      return object(json, level);
    case '[':
      return array(json, level);
    case '"':
      json.kind = Json::Kind::String;
      return string(json.text);
    case 't':
    case 'f':
      json = Json::boolean(text_[at_] == 't');
      return word(json.flag ? "true" : "false");
    case 'n':
      return word("null");
    default:
      json.kind = Json::Kind::Number;
      while (at_ < text_.size() && std::strchr("+-.eE0123456789", text_[at_]))
        json.text += text_[at_++];
      return !json.text.empty();
    }
  }

  bool array(Json& json, int level) {
    json.kind = Json::Kind::List;
    take('[');
    if (take(']'))
      return true;
    do {
      json.list.emplace_back();
      if (!read(json.list.back(), level + 1))
        return false;
    } while (take(','));
    return take(']');
  }

  bool object(Json& json, int level) {
    json.kind = Json::Kind::Object;
    take('{');
    if (take('}'))
      return true;
    do {
      space();
      json.members.emplace_back();
      auto& one = json.members.back();
      if (!string(one.first) || !take(':') || !read(one.second, level + 1))
        return false;
    } while (take(','));
    return take('}');
  }

  bool string(std::string& result) {
    if (!take('"'))
      return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c != '\\') {
        result += c;
        continue;
      }
      static const char kFrom[] = "\"\\/bfnrt", kTo[] = "\"\\/\b\f\n\r\t";
      c = at_ < text_.size() ? text_[at_++] : '\0';
      const char* known = c ? std::strchr(kFrom, c) : nullptr;
      if (known)
        result += kTo[known - kFrom];
      else if (c != 'u' || !escape(result))
        return false;
    }
    return take('"');
  }

  bool hex(unsigned long& code) {
    std::string digits = text_.substr(at_, 4);
    if (digits.size() != 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      return false;
    code = std::strtoul(digits.c_str(), nullptr, 16);
    at_ += 4;
    return true;
  }

  bool escape(std::string& result) {
    unsigned long code = 0, low = 0;
    if (!hex(code))
      return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (!word("\\u") || !hex(low) || low < 0xDC00 || low > 0xDFFF)
        return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned long kLead[] = {0, 0xC0, 0xE0, 0xF0};
    result += static_cast<char>(kLead[more] | code >> (6 * more));
    while (more-- > 0)
      result += static_cast<char>(0x80 | (code >> (6 * more) & 0x3F));
    return true;
  }

  const std::string& text_;
  size_t at_ = 0;
};

inline std::optional<Json> Json::parse(const std::string& text) {
  return JsonReader(text).document();
}

// How values of the generated types are written and read. Reading gives false for what is no value of the type.

inline Json write(bool value) {
  return Json::boolean(value);
}
inline Json write(const Number& value) {
  return Json::number(value);
}
template <class T, size_t N>
Json write(const std::array<T, N>& value) {
  std::vector<Json> list;
  for (const T& one : value)
    list.push_back(write(one));
  return Json::array(std::move(list));
}

inline bool read(const Json& json, bool& value) {
  value = json.flag;
  return json.kind == Json::Kind::Bool;
}
/// Any exact number.
inline bool read(const Json& json, Number& value) {
  if (json.kind != Json::Kind::Number && json.kind != Json::Kind::String)
    return false;
  std::optional<Number> number = Number::parse(json.text);
  if (number)
    value = *number;
  return number.has_value();
}
inline bool readInteger(const Json& json, Number& value) {
  return read(json, value) && value.isInteger();
}
inline bool readInteger(const Json& json, Number& value, const Number& first, const Number& last) {
  return readInteger(json, value) && first <= value && value <= last;
}
template <class T, size_t N, class Read>
bool readArray(const Json& json, std::array<T, N>& value, Read readOne) {
  if (json.kind != Json::Kind::List || json.list.size() != N)
    return false;
  for (size_t i = 0; i < N; ++i)
    if (!readOne(json.list[i], value[i]))
      return false;
  return true;
}
/// The index of a literal.
inline bool readLiteral(const Json& json, std::initializer_list<const char*> literals, size_t& index) {
  index = 0;
  for (const char* literal : literals) {
    if (json.kind == Json::Kind::String && json.text == literal)
      return true;
    ++index;
  }
  return false;
}

/// An input or output as it travels.
struct Message {
  std::string channel;
  std::vector<Json> arguments;

  std::string text() const {
    std::string result;
    for (const Json& one : arguments)
      result += (result.empty() ? "" : ", ") + one.dump();
    return channel + "(" + result + ")";
  }
};

// ---- the way to the system under test

/// The system or the way to it is broken: the test cannot be judged.
struct Trouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Output {
  Message message;
  Number time;
};

/// One run of a system under test. Times count units since its start. Trouble is thrown.
class Adapter {
public:
  virtual ~Adapter() = default;
  /// Gives an input to the system, now; the time of it.
  virtual Number send(const Message& input) = 0;
  /// Waits for the next output up to and including a time; nothing when that time has come. What is there when a
  /// measured time is over came at its end: the tester may have woken up late.
  virtual std::optional<Output> receive(const Number& until) = 0;
  /// Whether times are exact, so that no tolerance is needed.
  virtual bool isVirtual() const { return false; }
};

struct Settings {
  Number secondsPerUnit = 1;
  Number tolerance = 0;
};

/// Lines over a pair of file descriptors, which it owns.
class Lines {
public:
  using Clock = std::chrono::steady_clock;

  Lines() = default;
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() {
    for (int fd : {in_, out_ == in_ ? -1 : out_})
      if (fd >= 0)
        ::close(fd);
    if (child_ > 0) {
      ::kill(-child_, SIGTERM);
      ::waitpid(child_, nullptr, 0);
    }
  }

  void connect(const std::string& host, const std::string& port) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (int error = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found))
      throw Trouble(host + ":" + port + ": " + gai_strerror(error));
    for (addrinfo* one = found; one && in_ < 0; one = one->ai_next) {
      int fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (fd >= 0 && ::connect(fd, one->ai_addr, one->ai_addrlen) == 0)
        in_ = out_ = fd;
      else if (fd >= 0)
        ::close(fd);
    }
    ::freeaddrinfo(found);
    if (in_ < 0)
      throw Trouble("no connection to " + host + ":" + port);
    int on = 1;
    ::setsockopt(in_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  void start(const std::string& command) {
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0)
      throw Trouble("no pipe to a process");
    ::signal(SIGPIPE, SIG_IGN);
    child_ = ::fork();
    if (child_ == 0) {
      ::setpgid(0, 0);
      ::dup2(to[0], 0);
      ::dup2(from[1], 1);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    out_ = to[1];
    in_ = from[0];
    if (child_ < 0)
      throw Trouble("no process for: " + command);
  }

  void write(const std::string& line) {
    std::string text = line + "\n";
    for (size_t sent = 0; sent < text.size();) {
      ssize_t count = in_ == out_ ? ::send(out_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL)
                                  : ::write(out_, text.data() + sent, text.size() - sent);
      if (count < 0 && errno != EINTR)
        throw Trouble("the system takes no lines");
      sent += count > 0 ? static_cast<size_t>(count) : 0;
    }
  }

  /// The next line, or nothing when the time has come.
  std::optional<std::string> read(Clock::time_point until) {
    for (;;) {
      size_t end = received_.find('\n');
      if (end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
      }
      if (received_.size() > (1u << 20))
        throw Trouble("the system sent a line that is too long");
      auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now()).count();
      pollfd wait{in_, POLLIN, 0};
      timespec span{};
      span.tv_sec = left > 0 ? static_cast<time_t>(left / 1000000) : 0;
      span.tv_nsec = left > 0 ? static_cast<long>(left % 1000000 * 1000) : 0;
      int ready = ::ppoll(&wait, 1, &span, nullptr);
      if (ready == 0 && Clock::now() >= until)
        return std::nullopt;
      if (ready <= 0)
        continue;
      char buffer[4096];
      ssize_t count = ::read(in_, buffer, sizeof buffer);
      if (count == 0 || (count < 0 && errno != EINTR))
        throw Trouble("the system closed the connection");
      received_.append(buffer, count > 0 ? static_cast<size_t>(count) : 0);
    }
  }

private:
  int in_ = -1;
  int out_ = -1;
  pid_t child_ = -1;
  std::string received_;
};

/// A system that speaks tio/1, in real or virtual time.
class TioAdapter final : public Adapter {
public:
  /// `where`: tcp:HOST:PORT or exec:COMMAND
  TioAdapter(const std::string& where, const Settings& settings, bool isVirtual)
      : unit_(settings.secondsPerUnit), virtual_(isVirtual) {
    size_t colon = where.rfind(':');
    if (where.compare(0, 4, "tcp:") == 0 && colon > 4)
      lines_.connect(where.substr(4, colon - 4), where.substr(colon + 1));
    else if (where.compare(0, 5, "exec:") == 0)
      lines_.start(where.substr(5));
    else
      throw Trouble("'" + where + "' is neither tcp:HOST:PORT nor exec:COMMAND");
    std::vector<std::pair<std::string, Json>> start{{"start", Json::string("tio/1")},
                                                    {"time", Json::string(isVirtual ? "virtual" : "real")}};
    if (!isVirtual)
      start.emplace_back("unit", Json::string(unit_.text()));
    lines_.write(Json::object(std::move(start)).dump());
    if (!hear(patience()).member("ready"))
      throw Trouble("the system is not ready");
    zero_ = Lines::Clock::now();
  }

  bool isVirtual() const override { return virtual_; }

  Number send(const Message& input) override {
    if (!pending_.empty())
      throw Trouble("the system gave " + pending_.front().message.text() + " before " + input.channel + " was sent");
    Number time = now();
    lines_.write(Json::object({{"input", Json::string(input.channel)},
                               {"args", Json::array(input.arguments)},
                               {"at", Json::string(time.text())}})
                     .dump());
    return time;
  }

  std::optional<Output> receive(const Number& until) override {
    if (virtual_ && pending_.empty() && until >= now_)
      advance(until);
    while (!virtual_ && pending_.empty()) {
      std::optional<std::string> line = lines_.read(instant(until));
      if (!line)
        return std::nullopt;
      Number time = now();
      keep(parsed(*line), time < until ? time : until);
    }
    if (pending_.empty() || pending_.front().time > until)
      return std::nullopt;
    Output output = std::move(pending_.front());
    pending_.pop_front();
    return output;
  }

private:
  static Lines::Clock::time_point patience() { return Lines::Clock::now() + std::chrono::seconds(10); }

  Number now() const {
    if (virtual_)
      return now_;
    auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(Lines::Clock::now() - zero_).count();
    return Number(nanos) / (unit_ * 1000000000);
  }

  /// The first instant of the clock at or behind a time.
  Lines::Clock::time_point instant(const Number& time) const {
    Number nanos = -(-(time * unit_ * 1000000000)).floor();
    Number most = INT64_MAX / 4;
    return zero_ + std::chrono::nanoseconds(static_cast<int64_t>((nanos < most ? nanos : most).wide()));
  }

  static Json parsed(const std::string& line) {
    std::optional<Json> json = Json::parse(line);
    if (!json || json->kind != Json::Kind::Object)
      throw Trouble("the system sent no JSON object: " + line.substr(0, 200));
    if (const Json* error = json->member("error"))
      throw Trouble("the system says: " + error->text);
    return std::move(*json);
  }

  Json hear(Lines::Clock::time_point until) {
    std::optional<std::string> line = lines_.read(until);
    if (!line)
      throw Trouble("the system does not answer");
    return parsed(*line);
  }

  void keep(const Json& said, const Number& time) {
    const Json* name = said.member("output");
    const Json* arguments = said.member("args");
    if (!name || name->kind != Json::Kind::String)
      throw Trouble("the system says: " + said.dump().substr(0, 200));
    pending_.push_back({{name->text, arguments ? arguments->list : std::vector<Json>()}, time});
  }

  /// Lets virtual time pass; the system may stop behind an output.
  void advance(const Number& until) {
    lines_.write(Json::object({{"advance", Json::string((until - now_).text())}}).dump());
    for (;;) {
      Json said = hear(patience());
      Number time;
      if (const Json* end = said.member("now")) {
        if (!read(*end, time) || time < now_ || time > until)
          throw Trouble("the system has no time");
        now_ = time;
        return;
      }
      const Json* when = said.member("at");
      if (!when || !read(*when, time))
        throw Trouble("an output without a time: " + said.dump().substr(0, 200));
      keep(said, time);
    }
  }

  Lines lines_;
  Number unit_;
  bool virtual_;
  Lines::Clock::time_point zero_;
  Number now_;
  std::deque<Output> pending_;
};

using AdapterFactory = std::function<std::unique_ptr<Adapter>(const Settings&)>;

/// What the environment says, else what the build has set; may be null.
inline const char* setting(const char* name, const char* preset) {
  const char* value = std::getenv(name);
  return value ? value : preset;
}

/// What the environment asks for.
inline std::unique_ptr<Adapter> environmentAdapter(const Settings& settings) {
  const char* where = setting("TIOC_SUT", TIOC_DEFAULT_SUT);
  const char* time = setting("TIOC_TIME", TIOC_DEFAULT_TIME);
  if (!where)
    throw Trouble("set TIOC_SUT to tcp:HOST:PORT or exec:COMMAND");
  return std::make_unique<TioAdapter>(where, settings, time && std::string(time) == "virtual");
}

/// How every test gets its system; set it before tests run to use an adapter of your own.
inline AdapterFactory& adapterFactory() {
  static AdapterFactory factory = environmentAdapter;
  return factory;
}

// ---- a run of one test

/// What follows a wait in which nothing came.
enum class After { Send, Wait, Verdict, Fail };

/// Generated tests are written with this: send, await, questions about what came, and the choice of a branch.
///
/// Measured times are read within the tolerance, in favour of the system: what may be right is never a fail.
class Run {
public:
  explicit Run(Settings settings) : settings_(std::move(settings)) {
    if (const char* unit = setting("TIOC_UNIT", TIOC_DEFAULT_UNIT))
      settings_.secondsPerUnit = Number::of(unit);
    const Number largest = settings_.tolerance; // what is allowed was worked out for inputs that are no later
    if (const char* tolerance = setting("TIOC_TOLERANCE", TIOC_DEFAULT_TOLERANCE))
      settings_.tolerance = Number::of(tolerance);
    if (largest < settings_.tolerance)
      throw Trouble("the suite was made for a tolerance of at most " + largest.text());
    adapter_ = adapterFactory()(settings_);
    if (adapter_->isVirtual())
      settings_.tolerance = 0;
    else if (settings_.tolerance <= 0)
      throw Trouble("measured times need a tolerance: make the suite with one");
  }

  /// Gives an input to the system under test; the time of it. The test is inconclusive if the tester is late, or if an
  /// output came before that nobody has judged.
  template <class Input>
  Number send(const Input& input) {
    const Message message = input.message();
    if (!waiting_ && !adapter_->isVirtual())
      waiting_ = adapter_->receive(due_);
    if (waiting_)
      throw Trouble("the system gave " + seen() + " before " + message.channel + " was sent");
    Number time = adapter_->send(message);
    if (time > due_ + settings_.tolerance)
      throw Trouble("the tester was late: " + message.channel + " was due at " + due_.text() + " and sent at " +
                    time.text());
    sent_ = due_ = time;
    return time;
  }

  /// Waits for an output until a time. The tolerance comes on top unless an input follows, which has its time.
  void await(const Number& until, After after) {
    until_ = until;
    after_ = after;
    chosen_ = 0;
    settled_ = several_ = false;
    Number end = after == After::Send ? until : until + settings_.tolerance;
    if (!waiting_)
      waiting_ = adapter_->receive(end);
    judged_ = waiting_ && waiting_->time <= end;
  }

  /// Whether the output at hand is the expected one; then it is in `output`.
  template <class Expected>
  bool got(Expected& output) {
    certain_ = true;
    return judged_ && !settled_ && isMessage(output);
  }

  // The ends of its window, widened by the tolerance.
  bool from(const Number& time) { return begins(time, false); }
  bool after(const Number& time) { return begins(time, true); }
  bool to(const Number& time) { return ends(time, false); }
  bool before(const Number& time) { return ends(time, true); }

  /// A guard without a value does not hold.
  template <class Guard>
  static bool holds(Guard guard) {
    try {
      return guard();
    } catch (const NoValue&) {
      return false;
    }
  }

  // How far measured times may be off: a guard over them holds with this slack, and for certain with the opposite.
  const Number& slack() const { return settings_.tolerance; }
  Number tightness() const { return -settings_.tolerance; }
  bool surely(bool holds) {
    certain_ = certain_ && holds;
    return true;
  }

  /// The branch at hand fits. The first that does so for certain is taken, else the first that may.
  void choose(int branch) {
    several_ = several_ || chosen_ != 0;
    if (certain_ || chosen_ == 0)
      chosen_ = branch;
    settled_ = certain_;
  }

  /// Whether this branch was chosen; then its message is in `output`.
  template <class Expected>
  bool takes(int branch, Expected& output) {
    return chosen_ == branch && isMessage(output);
  }

  /// Takes the output that was judged; its time.
  Number take() {
    if (several_ || again_ || (isAtTheEnd() && (after_ == After::Send || after_ == After::Wait)))
      doubt_ = doubt_.empty() ? seen() + " is within the tolerance of two windows" : doubt_;
    due_ = waiting_->time;
    waiting_.reset();
    again_ = judged_ = false;
    return due_;
  }

  /// Whether the time has come without an output to judge. One that came near the end and fits nothing may have come
  /// behind it: what follows judges it.
  bool isOver() {
    const bool late = judged_ && isAtTheEnd() && after_ != After::Fail;
    if (judged_ && !late)
      return false;
    again_ = again_ || late;
    due_ = due_ < until_ ? until_ : due_;
    return true;
  }

  void pass(const std::string&) const {}
  void fail(const std::string& reason) const {
    if (!doubt_.empty())
      return inconclusive(doubt_ + "; otherwise: " + reason);
    ADD_FAILURE() << reason;
  }
  void inconclusive(const std::string& reason) const { GTEST_SKIP() << "inconclusive: " << reason; }
  void unexpected(const std::string& allows) const {
    if (settings_.tolerance > 0 && sent_ && waiting_->time <= *sent_ + settings_.tolerance)
      return inconclusive(seen() + " was not allowed, but it may have crossed the input sent at " + sent_->text());
    fail(seen() + " was not allowed; allowed: " + allows);
  }

private:
  template <class Expected>
  bool isMessage(Expected& output) const {
    return waiting_->message.channel == Expected::name() && output.take(waiting_->message.arguments);
  }

  std::string seen() const { return waiting_->message.text() + " at " + waiting_->time.text(); }

  bool begins(const Number& time, bool strict) {
    if (settings_.tolerance == 0)
      return strict ? time < waiting_->time : time <= waiting_->time;
    certain_ = certain_ && time + settings_.tolerance <= waiting_->time;
    return time <= waiting_->time + settings_.tolerance;
  }

  bool ends(const Number& time, bool strict) {
    if (settings_.tolerance == 0)
      return strict ? waiting_->time < time : waiting_->time <= time;
    certain_ = certain_ && waiting_->time + settings_.tolerance <= time;
    return waiting_->time <= time + settings_.tolerance;
  }

  bool isAtTheEnd() const { return settings_.tolerance > 0 && until_ <= waiting_->time + settings_.tolerance; }

  Settings settings_;
  std::unique_ptr<Adapter> adapter_;
  std::optional<Output> waiting_; ///< came, and no test has taken it yet
  bool judged_ = false;           ///< it came in time for the wait at hand
  bool again_ = false;            ///< it fitted nothing at the end of the wait before
  Number until_;
  After after_ = After::Verdict;
  bool certain_ = false;       ///< the output fits it, however far off the measured time is
  bool settled_ = false;       ///< branches behind are not looked at
  bool several_ = false;       ///< another time within the tolerance leads elsewhere
  int chosen_ = 0;             ///< the branch that takes the output, from 1
  std::optional<Number> sent_; ///< the last input
  Number due_;                 ///< when the next one has to go out
  std::string doubt_;          ///< why a fail would not be certain
};

/// Runs a test. What keeps it from a verdict makes it inconclusive, which GoogleTest shows as skipped, never as passed.
template <class Body>
void runTest(const Settings& settings, Body body) {
  try {
    Run run(settings);
    body(run);
  } catch (const Trouble& trouble) {
    GTEST_SKIP() << "inconclusive: " << trouble.what();
  } catch (const NoValue& missing) {
    GTEST_SKIP() << "inconclusive: " << missing.what();
  }
}

} // namespace tioc
