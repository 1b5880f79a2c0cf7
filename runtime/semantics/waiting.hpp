#pragma once

#include "runtime/semantics/clock_code.hpp"
#include "runtime/zones/time_progress.hpp"

#include <deque>
#include <unordered_map>

namespace tioc::semantics {

/// A deadline as time progress reads it, over the network's clocks.
struct Binding {
  zones::Urgency urgency = zones::Urgency::Delayable;
  bool never = false;    ///< no valuation satisfies the guard
  bool diagonal = false; ///< `before` and `entry` are not known
  std::vector<zones::Constraint> guard;
  std::vector<zones::Constraint> before; ///< down(guard)
  std::vector<zones::Constraint> entry;  ///< eager: x <= its lower bound in the guard, one per such x
};

/// The states reachable by waiting (semantics, section 3), from a zone whose data are known as far as deadlines go.
class Waiting {
public:
  Waiting(const Network& network, const ClockCode& clocks) : network_(network), clocks_(clocks) {}

  /// Adds what binds here to `bindings`; `ready(const Deadline&)` says whether some values of the message satisfy the
  /// data parts. The pointers live as long as this object.
  template <class Ready>
  void collect(Locations at, Ready&& ready, std::vector<const Binding*>& bindings) {
    if (network_.mayBind(at))
      network_.forEachDeadline(at, [&](const Deadline& deadline) {
        const Binding& binding = of(deadline);
        if (!binding.never && ready(deadline))
          bindings.push_back(&binding);
      });
  }
  const Binding& of(const Deadline& deadline);

  /// What waiting makes of a zone.
  enum class Shape : uint8_t {
    One,        ///< the zone itself was changed
    Several,    ///< the result is in the federation
    OutOfRange, ///< a bound of the result is not storable
  };
  /// Precondition: time is not stopped, the zone is canonical and satisfies `invariants`. `index` gives the zone's
  /// index of each network clock that is tested, `invariants` are over these. `limits` come on top, see
  /// zones::timeProgress.
  Shape wait(zones::Bound* zone, zones::Dim dim, const uint16_t* index, std::span<const Binding* const> bindings,
             std::span<const zones::Constraint> invariants, std::span<const zones::Limit> limits,
             zones::Federation& several);

private:
  Shape slow(const zones::Bound* zone, zones::Dim dim, const uint16_t* index, std::span<const Binding* const> bindings,
             std::span<const zones::Constraint> invariants, std::span<const zones::Limit> limits,
             zones::Federation& several) const;

  const Network& network_;
  const ClockCode& clocks_;
  std::deque<Binding> bindings_;
  std::unordered_map<uint64_t, const Binding*> known_;
  std::vector<zones::Constraint> within_; // scratch
};

} // namespace tioc::semantics
