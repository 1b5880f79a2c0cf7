#include "runtime/testgen/purpose_plan.hpp"

#include "ir/passes.hpp"
#include "runtime/explore/backward.hpp"
#include "runtime/semantics/concrete.hpp"

namespace tioc::testgen {

using explore::Toward;
using semantics::ConcreteMove;
using semantics::ConcreteState;

namespace {

constexpr size_t kMostSteps = 100'000;

class Walk {
public:
  Walk(const ir::Model& product, const explore::Limits& limits)
      : product_(ir::scaleTime(ir::Model(product))), moved_(ir::resolvePriorities(ir::signals(ir::Model(product_)))),
        network_(moved_), concrete_(network_), backward_(product_, limits) {}

  PurposePlan run() {
    backward_.run();
    if (backward_.problem())
      return open(backward_.problem()->text);
    plan_.reachable = backward_.fromStart();
    if (plan_.reachable == ir::Decision::No)
      return open("no run gets to accept");
    plan_.reachable = ir::Decision::Unknown;
    std::optional<ConcreteState> start = concrete_.initial(0);
    if (!start)
      return open(concrete_.problem().text);
    state_ = std::move(*start);
    while (moved_[at()].mark != ir::Mark::Accept) {
      if (plan_.edges.size() >= kMostSteps)
        return open("more steps than " + std::to_string(kMostSteps));
      if (ir::isImplicit(moved_[at()]) ? !react() : !choose())
        return std::move(plan_);
    }
    plan_.reachable = ir::Decision::Yes;
    return std::move(plan_);
  }

private:
  ir::LocationId at() const { return state_.locations[0]; }

  PurposePlan open(std::string why) {
    plan_.why = std::move(why);
    return std::move(plan_);
  }

  bool stop(std::string why) {
    plan_.why = std::move(why);
    return false;
  }

  bool take(const std::optional<std::vector<ConcreteMove>>& moves, const char* what) {
    if (!moves)
      return stop(concrete_.problem().text);
    for (const ConcreteMove& move : *moves)
      if (move.window.contains(0)) {
        plan_.edges.push_back(move.edges[0]);
        state_ = concrete_.successor(state_, move, 0);
        return true;
      }
    return stop(std::string("the model does not ") + what + " where it should");
  }

  bool react() { return take(concrete_.reactions(state_, 0), "go on"); }

  std::vector<eval::Value> values() const {
    const ir::Automaton& automaton = product_[product_.systems[0].components[0].automaton];
    std::vector<eval::Value> result;
    for (ir::VariableId id : automaton.variables)
      result.push_back(
          concrete_.layout().load(product_[id].type, state_.variables.data() + concrete_.layout().offsetOf(id)));
    return result;
  }

  std::vector<ir::Rational> point() const {
    std::vector<ir::Rational> result{0};
    for (ir::ClockId id : product_[product_.systems[0].components[0].automaton].clocks)
      result.push_back(state_.clocks[network_.clock(id)]);
    return result;
  }

  /// In a stable state, or at the instant at which an edge becomes enabled.
  bool choose() {
    const std::vector<eval::Value> now = values();
    const std::vector<ir::Rational> clocks = point();
    const std::optional<uint32_t> set = backward_.find(at(), now, clocks);
    if (!set)
      return stop(backward_.stopped().empty() ? "the run has left what leads to accept"
                                              : "limit of " + backward_.stopped());
    switch (backward_[*set].how) {
    case Toward::Input: {
      const auto inputs = backward_.inputsFor(*set, now);
      return inputs ? take(concrete_.on(state_, semantics::Visibility::Input, ir::ChannelId(0), *inputs), "take inputs")
                    : stop("the solver could not choose inputs");
    }
    case Toward::Wait:
      return wait(backward_[backward_[*set].next].zone, clocks);
    case Toward::Edge:
    case Toward::Here:
      break;
    }
    return react();
  }

  bool wait(const zones::Zone& into, const std::vector<ir::Rational>& clocks) {
    const auto delays = zones::delaysInto(into.data(), into.dim(), clocks);
    if (!delays)
      return stop("waiting does not lead on");
    ir::Rational delay = delays->lower;
    if (!delays->lowerAttained)
      delay = delays->upper ? (delay + *delays->upper) / ir::Rational(2) : delay + ir::Rational(1);
    const auto allowed = concrete_.delays(state_);
    if (!allowed || !allowed->contains(delay))
      return stop("the model does not wait where it should");
    state_.advance(delay);
    return true;
  }

  ir::Model product_;
  ir::Model moved_; // the same locations, edges, variables and clocks, and more
  semantics::Network network_;
  semantics::Concrete concrete_;
  explore::Backward backward_;
  ConcreteState state_;
  PurposePlan plan_;
};

} // namespace

PurposePlan planPurpose(const ir::Model& product, const explore::Limits& limits) {
  return Walk(product, limits).run();
}

} // namespace tioc::testgen
