#pragma once

#include "ir/test.hpp"
#include "runtime/testgen/moments.hpp"
#include "runtime/testgen/projection.hpp"
#include "runtime/testgen/search.hpp"

#include <unordered_set>

namespace tioc::testgen {

struct BuildOptions {
  ir::Timing timing = ir::Timing::Earliest; ///< of inputs; Middle, Boundary and Random choose the model
  ir::DataChoice data = ir::DataChoice::Any;
  uint64_t seed = 0;
  ir::Rational tolerance = 0;                  ///< how late an input may be given
  ir::Rational patience = 10;                  ///< how long an output is awaited that need not come, in time units
  ir::Rational nearness = ir::Rational(1, 10); ///< how close an input comes to a bound that it may not reach
  bool quick = false;                          ///< values by chance and evaluation alone, times as the path has them
  bool endsAtGoal = false;                     ///< passes as soon as the path is done, else looks at what comes then
};

/// Makes a test case of a path. The tester follows the path with its inputs and accepts at every point what the
/// specification allows there, whatever the internal choices and hidden values: an output that belongs to the path goes
/// on, another allowed one is inconclusive, any other is a fail.
///
/// What is allowed is told by the set of all symbolic states that agree with what was seen so far. Hidden values and
/// the times of unobservable steps are projected out; where that is not exact, more is allowed, never less.
class Builder {
public:
  /// Unobservable steps between two events that are followed; where there may be more, more is allowed.
  static constexpr uint32_t kMostUnseen = 10;

  Builder(semantics::Symbols& symbols, semantics::StepRelation& relation, Observer& observer, Moments& moments,
          Projection& project, BuildOptions options);

  /// Nothing, and `problem`, where no input can be chosen. Behind the goal the path may be cut short.
  std::optional<ir::TestCase> build(const Path& path);
  const std::string& problem() const { return problem_; }
  /// Of the last test: the values on which its choices rest, and how many steps of the path it follows.
  const solver::Assignment& model() const { return model_; }
  size_t length() const { return length_; }
  /// Steps that every run takes which passes: those to the goal, and behind it while the system has had no choice at
  /// all.
  size_t certain() const { return certain_; }
  /// On the way to the goal a system may be where the model does not say what is right: it may refuse an input there.
  bool isWeak() const { return isWeak_; }

private:
  static constexpr size_t kOff = SIZE_MAX;
  static constexpr uint32_t kLargestTerm = 1000; // of times in a test, as written

  /// A state that agrees with what was seen.
  struct Belief {
    semantics::SymbolicState state;
    PurposeState purpose; ///< on the path only
    size_t at = kOff;     ///< on the path: steps of it that are done
    uint32_t unseen = 0;  ///< unobservable steps since the last event
  };
  /// An observable step that is possible next.
  struct Next {
    semantics::SymbolicStep step;
    semantics::SymbolicState state; ///< behind it
    size_t from = 0;                ///< belief
    bool looked = false;
    bool isPath = false;                                ///< the path goes on from all states behind it
    std::optional<semantics::SymbolicState> agreed;     ///< of an output: with what is seen of it
    std::optional<std::vector<Conjunction>> cases = {}; ///< what is asked of it then
  };
  /// The way on that the next node fills in: a branch, or the one behind a send or a timeout.
  struct Pending {
    ir::TestNodeId node;
    size_t branch = kOff;
  };
  enum class Rest : uint8_t { Pass, Inconclusive };

  // builder_terms.cpp: what is seen has unknowns of its own, which become variables of the test
  static uint32_t stepOf(uint32_t event);
  ir::ExprId seen(uint32_t position, ir::TypeId type, const std::string& name);
  void markSeen(ir::ExprId leaf);
  ir::ExprId timeOf(uint32_t event);
  ir::ExprId now() { return event_ == 0 ? pool_.real(0) : timeOf(event_ - 1); }
  ir::VariableId variableFor(ir::ExprId unknown, const std::string& name);
  ir::ExprId translate(ir::ExprId expr);
  ir::ExprId slack();
  ir::ExprId loosen(ir::ExprId condition);
  void readPlan();
  bool replace(semantics::SymbolicState& state, ir::ExprId leaf, ir::ExprId value);
  bool agree(semantics::SymbolicState& state, ir::ExprId term, ir::ExprId value);
  bool agreeOnTime(semantics::SymbolicState& state, ir::ExprId time);
  bool agreeOn(semantics::SymbolicState& state, const semantics::SymbolicStep& step,
               const std::vector<ir::ExprId>& message);
  const std::vector<ir::ExprId>& messageOn(ir::ChannelId channel);
  const semantics::SymbolicState* agreed(Next& next);

  // builder_beliefs.cpp
  void close(std::vector<Belief>& beliefs, std::vector<Next>& nexts, const semantics::Inputs& inputs);
  bool isOnPath(const Belief& from, const semantics::SymbolicStep& step) const;
  std::optional<Belief> onPath(const std::vector<Belief>& beliefs, const Next& next);
  void restore(semantics::SymbolicState& state);
  bool saysOrderOnly(ir::ExprId condition);
  void noteFacts(const semantics::SymbolicState& state);
  /// Leaves out what is known; false if what is known contradicts.
  bool reduce(Conjunction& conditions);
  bool isGiven(ir::ExprId condition);
  bool isKnown(ir::ExprId condition);
  std::optional<std::pair<ir::ExprId, ir::ExprId>> valueIn(ir::ExprId condition);
  bool putValues(Conjunction& conditions);
  std::vector<Conjunction> casesOf(const Conjunction& conditions);
  Conjunction givenAt(ir::ExprId time);
  bool isPossibleAt(semantics::SymbolicState state, ir::ExprId time);
  bool mayRefuse(const std::vector<Belief>& beliefs, const std::vector<Next>& nexts, ir::ChannelId channel,
                 ir::ExprId time);
  ir::ExprId silence(const std::vector<Belief>& beliefs, bool& bounded);
  struct Silence {
    ir::ExprId when;
    ir::ExprId end;
  };
  ir::ExprId latest(std::vector<Silence> ends);

  // builder.cpp
  bool chooseModel();
  void optimise(Conjunction& conditions, ir::ExprId term, bool largest);
  bool prefer(Conjunction& conditions, const Conjunction& wanted);
  void keepOpen(Conjunction& conditions);
  void chooseByChance();
  std::optional<size_t> follow();
  bool chooseInput(const Belief& from, const Next& next, const Belief& on, ir::SendNode& input,
                   semantics::SymbolicState& wished);
  bool send(std::vector<Belief>& beliefs, std::vector<Next>& nexts);
  std::vector<Belief> addPath(ir::TestNodeId node, const std::vector<Belief>& beliefs, std::vector<Next>& nexts,
                              Conjunction& learnt);
  bool await(std::vector<Belief>& beliefs, std::vector<Next>& nexts);
  void finish(std::vector<Belief>& beliefs, std::vector<Next>& nexts);
  bool timeToSend(const semantics::SymbolicState& behind, ir::ExprId& until);
  ir::ExprId instantWithin(const std::vector<ir::TimeBound>& lowers, const std::vector<ir::TimeBound>& uppers,
                           const solver::Assignment& witness);
  bool isLate(size_t event) const;
  bool require(ir::ExprId condition);
  void addOthers(ir::TestNodeId node, std::vector<Next>& nexts);
  void addBranches(ir::TestNodeId node, ir::ChannelId channel, const std::vector<Conjunction>& cases,
                   ir::TestNodeId to);
  const std::vector<Conjunction>& casesOf(Next& next);
  ir::AwaitNode& awaitAt(ir::TestNodeId node) { return std::get<ir::AwaitNode>(test_.nodes[node.value]); }
  ir::TestNodeId addNode(ir::TestNode node);
  ir::TestNodeId addVerdict(ir::Verdict verdict, std::string reason);
  void join(ir::TestNodeId node);
  void prune();
  std::vector<ir::Covered> coveredUntil(size_t step);
  void narrow(ir::TimeBound& bound, ir::ExprId term, bool strict, bool upper);
  bool isNeverLater(ir::ExprId a, ir::ExprId b);
  ir::ExprId choose(const std::vector<ir::ExprId>& terms, bool largest);
  bool implies(ir::ExprId condition, ir::ExprId other);
  struct Difference {
    uint32_t to = 0, from = 0; ///< unknowns: to <= from + by, or less if strict
    ir::Rational by;
    bool strict = false;
  };
  static constexpr uint32_t kStart = UINT32_MAX; // stands for time 0 among them
  const std::optional<Difference>& differenceIn(ir::ExprId condition);
  bool follows(ir::ExprId condition, const Conjunction& others = {});

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  Observer& observer_;
  Moments& moments_;
  Projection& project_;
  BuildOptions options_;
  ir::ExprPool& pool_;
  std::string problem_;

  std::vector<std::unordered_map<uint32_t, ir::ExprId>> twins_; // of unknowns, one set for each copy of a state
  const Path* path_ = nullptr;
  size_t length_ = 0;
  size_t certain_ = 0;
  solver::Assignment model_; // of the whole path
  solver::Assignment plan_;  // the same in the terms of states that follow it
  ir::TestCase test_;
  uint32_t event_ = 0; // the next one
  bool permissive_ = false;
  bool isWeak_ = false;
  Rest rest_ = Rest::Inconclusive;                   // of outputs beside the path
  bool isForced_ = false;                            // the last step had no alternative
  std::vector<ir::ExprId> times_;                    // by event
  std::vector<bool> isSeen_;                         // by unknown
  std::unordered_map<uint32_t, uint32_t> variables_; // by such an unknown: variable of the test
  ir::ExprId slack_;                                 // the variable for how far measured times may be off
  std::vector<ir::ExprId> message_;                  // unknowns of the message that a branch is about
  std::vector<Pending> pending_;
  /// The branches by which the path went on last, and their windows in terms of what is seen.
  struct LastOutput {
    Pending at;
    ir::TimeBound from, to;
  };
  std::vector<LastOutput> lastOutput_;
  std::vector<std::pair<ir::TimeBound, ir::TimeBound>> windows_; // of the branches added last
  uint32_t lastOutputEvent_ = 0;
  size_t coveredSteps_ = 0;
  std::unordered_set<ir::ExprId> facts_; // conditions of states that such runs satisfy as well
  Conjunction known_;                    // what every run that got here satisfies
  /// What a time was chosen from.
  struct Extreme {
    bool largest = false;
    std::vector<ir::ExprId> of;
  };
  std::unordered_map<ir::ExprId, Extreme> extremes_; // by what `choose` gave
  std::unordered_map<ir::ExprId, std::optional<Difference>> differences_;
};

} // namespace tioc::testgen
