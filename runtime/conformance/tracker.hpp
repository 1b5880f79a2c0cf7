#pragma once

#include "runtime/semantics/concrete_state.hpp"

#include <string>
#include <vector>

namespace tioc::conformance {

/// Whether a specification allows what was observed. Unknown is neither: the solver could not tell, or a limit was
/// reached. It must never be taken for No.
enum class Answer : uint8_t { No, Unknown, Yes };

/// A message that the specification gives or accepts. Times are absolute.
struct Chance {
  ir::ChannelId channel;
  std::vector<ir::EdgeId> edges;
  semantics::Window window;
  std::vector<eval::Value> values; ///< one possible message
  std::string text;                ///< the possible messages for people: `PrintBalance(amount >= 1)`
};

/// What a specification may do if its environment stays silent.
struct Outlook {
  std::vector<Chance> outputs;
  semantics::Window silence; ///< absolute: up to when nothing need come
  bool complete = true;      ///< false: a limit cut it short, and more is allowed
};

/// A part of an edge that stands in the way of an observation.
struct Obstacle {
  ir::EdgeId edge;
  ir::Span span;
  std::string text; ///< `t <= 10 is false: t is 10.1`
};

/// Why an observation was answered with No, in the words of the model.
struct Explanation {
  std::vector<std::string> states; ///< the last good ones: locations, variables, clocks
  size_t moreStates = 0;           ///< that are not listed
  Outlook allowed;                 ///< from the last good instant on
  std::vector<Obstacle> obstacles;
};

/// Where the states of a specification are in a purpose that runs beside it.
struct Marks {
  size_t accept = 0;
  size_t reject = 0;
  size_t none = 0;
};

/// Follows what a specification can have done, one observation at a time (D, section 5.1): the set of its states that
/// agree with everything seen so far, unobservable steps included. Observations come in the order of time, which counts
/// from the start in time units.
///
/// After a No the set is the one before the observation, so that `explain` can tell. After an Unknown the tracker goes
/// on with what it knows; it may then answer Unknown ever after, but never a wrong No.
class Tracker {
public:
  virtual ~Tracker() = default;

  /// Back to the beginning. Precondition of everything below. No: the specification has no state to start in.
  virtual Answer start() = 0;
  /// Nothing is seen until `time` (tsucc). Precondition: it is not earlier than `now`.
  virtual Answer wait(const ir::Rational& time) = 0;
  /// A message is seen now (dsucc). Precondition: the values have the types of the channel's parameters.
  virtual Answer output(ir::ChannelId channel, const std::vector<eval::Value>& values) = 0;
  virtual Answer input(ir::ChannelId channel, const std::vector<eval::Value>& values) = 0;

  virtual const ir::Rational& now() const = 0;
  virtual Outlook outlook() = 0;
  /// Inputs that some state accepts from now on, with messages that `seed` chooses where there are many. The windows
  /// hold as long as nothing else happens.
  virtual std::vector<Chance> stimuli(uint64_t seed) = 0;
  /// No output can come, however long one waits, whatever state the specification is in (A, definition 12).
  virtual Answer quiescent() = 0;
  /// How many states are followed, and where they are in the purpose.
  virtual Marks marks() const = 0;
  /// By edge: it may have been taken since the tracker was made.
  virtual const std::vector<bool>& taken() const = 0;

  /// Why the last answer was No.
  virtual Explanation explain() = 0;
  /// Why the last answer was Unknown, or what makes a Yes doubtful; may be empty.
  virtual const std::string& reason() const = 0;
  /// The specification; channels of messages are its own.
  virtual const ir::Model& model() const = 0;
};

} // namespace tioc::conformance
