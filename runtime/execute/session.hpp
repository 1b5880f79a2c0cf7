#pragma once

#include "runtime/execute/adapter.hpp"

#include <deque>

namespace tioc::execute {

struct SessionOptions {
  /// Seconds that a time unit takes; nothing: time is virtual.
  std::optional<ir::Rational> unit;
  std::chrono::milliseconds patience{10'000}; ///< for answers that the protocol promises
  size_t outputsPerAnswer = 10'000;           ///< most outputs before the `now` that ends them
};

/// An output of the system and when it was seen: in virtual time as the system says, in real time as measured here.
struct Seen {
  ir::ChannelId channel;
  std::vector<eval::Value> values;
  ir::Rational time;
};

/// The tester's side of the protocol: one run of a system, time included. Times count units since the start.
///
/// What the system does wrong ends the run: `trouble` says what it was.
class Session {
public:
  /// `model` has the channels; both must outlive the session.
  Session(const ir::Model& model, Adapter& adapter, SessionOptions options);
  ~Session() { adapter_.close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Opens a fresh system and waits until it is ready. Time is 0 then.
  bool start();
  bool isVirtual() const { return !options_.unit; }
  /// In virtual time, the instant up to which everything is known.
  ir::Rational now() const;

  /// Gives an input to the system, now; the time of it. Nothing: trouble.
  std::optional<ir::Rational> send(ir::ChannelId channel, const std::vector<eval::Value>& values);

  enum class Next : uint8_t { Output, Timeout, Trouble };
  /// Waits for the next output up to and including a time. After Timeout that time has come. An output that is there
  /// when the time is over counts as having come at its end.
  Next await(const ir::Rational& until, Seen& seen);
  /// An output that came before anybody waited for it; stays to be awaited.
  const Seen* pending();
  /// Lets an output be awaited once more.
  void putBack(Seen seen) { seen_.push_front(std::move(seen)); }

  const std::string& trouble() const { return trouble_; }

private:
  bool fail(std::string text);
  bool advance(const ir::Rational& until);
  /// Takes an output out of a line; other lines are trouble here.
  bool keep(const std::string& line);
  bool closed(LineStream::Got got);
  bool lost();

  const ir::Model& model_;
  Adapter& adapter_;
  SessionOptions options_;
  TimePoint zero_;
  ir::Rational virtualNow_;
  std::deque<Seen> seen_;
  std::string trouble_;
};

} // namespace tioc::execute
