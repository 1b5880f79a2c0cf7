#pragma once

#include "runtime/execute/line_stream.hpp"
#include "runtime/execute/player.hpp"

#include <functional>
#include <memory>

namespace tioc::execute {

/// The way to a system under test: lines of `tio/1`. Every wait is bounded.
class Adapter {
public:
  virtual ~Adapter() = default;

  /// A fresh system: a new process, a new connection. Returns what is wrong, or nothing.
  virtual std::optional<std::string> open() = 0;
  virtual void close() = 0;
  /// False if the line could not be given to the system in time.
  virtual bool send(const std::string& line, TimePoint until) = 0;
  virtual LineStream::Got receive(std::string& line, TimePoint until) = 0;
};

/// A command of the shell; the protocol runs over its standard input and output.
class ProcessAdapter final : public Adapter {
public:
  explicit ProcessAdapter(std::string command) : command_(std::move(command)) {}
  ~ProcessAdapter() override { close(); }

  std::optional<std::string> open() override;
  /// Closes its input, then asks it to end, then ends it.
  void close() override;
  bool send(const std::string& line, TimePoint until) override { return lines_.send(line, until); }
  LineStream::Got receive(std::string& line, TimePoint until) override { return lines_.receive(line, until); }

private:
  bool hasExitedBy(TimePoint until);

  std::string command_;
  int child_ = -1;
  LineStream lines_;
};

/// A server; each test gets a connection of its own.
class TcpAdapter final : public Adapter {
public:
  TcpAdapter(std::string host, std::string port) : host_(std::move(host)), port_(std::move(port)) {}

  std::optional<std::string> open() override;
  void close() override { lines_.close(); }
  bool send(const std::string& line, TimePoint until) override { return lines_.send(line, until); }
  LineStream::Got receive(std::string& line, TimePoint until) override { return lines_.receive(line, until); }

private:
  std::string host_;
  std::string port_;
  LineStream lines_;
};

/// A model that plays the system in this process. Every opening takes the next seed.
class ModelAdapter final : public Adapter {
public:
  ModelAdapter(std::unique_ptr<Machine> machine, PlayOptions options)
      : machine_(std::move(machine)), options_(std::move(options)) {}

  std::optional<std::string> open() override;
  void close() override { player_.reset(); }
  bool send(const std::string& line, TimePoint until) override;
  LineStream::Got receive(std::string& line, TimePoint until) override;

private:
  ir::Rational now() const;

  std::unique_ptr<Machine> machine_;
  PlayOptions options_;
  std::optional<Player> player_;
  TimePoint zero_;
  std::vector<std::string> pending_;
  size_t taken_ = 0;
};

/// How far the clock is behind `zero`, in units of so many seconds.
ir::Rational unitsSince(TimePoint zero, TimePoint now, const ir::Rational& unit);
/// The first instant of the clock at or behind a time in such units.
TimePoint instantOf(TimePoint zero, const ir::Rational& time, const ir::Rational& unit);

} // namespace tioc::execute
