#pragma once

#include "ir/test.hpp"
#include "runtime/conformance/trace.hpp"
#include "runtime/conformance/tracker.hpp"

#include <optional>

namespace tioc::conformance {

/// The verdicts of off-line testing (A, section 5), and one for what could not be decided.
enum class Verdict : uint8_t {
  Fail,     ///< FAIL: an output or a delay that the specification does not allow
  Pass,     ///< PASS: allowed, and every run of the specification that looks like this fulfils the purpose
  WeakPass, ///< WEAK_PASS: allowed, and some such run fulfils it
  InconcR,  ///< INCONC_r: allowed, and none fulfils it
  InconcI,  ///< INCONC_i: an input came that the specification does not accept there; it says nothing about the rest
  InconcU,  ///< INCONC_u: the solver or a limit left it open
};

const char* word(Verdict verdict);
ir::Verdict summary(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::InconcU;
  std::string reason;
  uint64_t events = 0;        ///< that were read, the one that decided included
  ir::Rational time;          ///< of the last one
  std::optional<Event> event; ///< the one that decided; nothing: the end of the trace
  std::optional<Explanation> explanation;
};

/// Judges one run, event by event (A, rules 0 to 6). Without purpose a run that is allowed passes. With a tolerance, an
/// output that may have crossed an input on its way does not fail.
class Judge {
public:
  Judge(Tracker& tracker, bool hasPurpose, ir::Rational tolerance = {})
      : tracker_(tracker), hasPurpose_(hasPurpose), tolerance_(std::move(tolerance)) {}

  void begin();
  /// False: the verdict stands, and what follows does not count.
  bool take(const Event& event);
  Judgement end();

  uint64_t events() const { return result_.events; }

private:
  bool judge(Answer answer, const Event& event);
  std::string refusal(const Event& event) const;

  Tracker& tracker_;
  bool hasPurpose_;
  ir::Rational tolerance_;
  std::optional<ir::Rational> lastInput_;
  bool decided_ = false;
  bool open_ = false; // the last answer was Unknown
  Judgement result_;
};

/// The explanation for people, one line each; `place` shows a place of the source.
std::vector<std::string> showExplanation(const Tracker& tracker, const Explanation& explanation,
                                         const std::function<std::string(ir::Span)>& place);
/// `from 2 to 8`, `before 3`, `at any time`.
std::string showWindow(const semantics::Window& window);

} // namespace tioc::conformance
