#pragma once

#include "runtime/conformance/trace.hpp"
#include "runtime/conformance/tracker.hpp"
#include "runtime/execute/tiosts_machine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tioc::conformance {

/// The system of a text, or of an example, ready to be followed.
ir::Model systemOf(const std::string& text, const std::string& system);
ir::Model exampleSystem(const std::string& file, const std::string& system);

/// Something the system may really do: random inputs at random times, and legal answers. Times are multiples of the
/// grain wherever the system lets them be. Ends early where the system cannot go on.
std::vector<Event> randomRun(execute::TiostsMachine& machine, uint64_t seed, size_t events, const ir::Rational& grain);

/// The run with one thing changed: a time, a value, a channel, an event dropped or doubled.
std::vector<Event> perturbed(const ir::Model& model, std::vector<Event> run, uint64_t seed, const ir::Rational& grain);

/// How far a tracker goes along.
struct Followed {
  Answer answer = Answer::Yes;
  size_t position = 0;  ///< of the first event that was answered with No
  bool silence = false; ///< it was the wait before the event
};
Followed follow(Tracker& tracker, const std::vector<Event>& run);

/// One event per line, for messages of failing tests.
std::string show(const ir::Model& model, const std::vector<Event>& run);
/// `tio/1`, as testers log it.
std::string toLines(const ir::Model& model, const std::vector<Event>& run);

} // namespace tioc::conformance
