#pragma once

#include "ir/model.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tioc::ir {

enum class Verdict : uint8_t { Pass, Fail, Inconclusive };

/// A variable of a test case. In expressions it is `Op::Variable` with its index in the case.
struct TestVariable {
  std::string name;
  TypeId type;
  ExprId initial; ///< constant; invalid: set before it is read
  /// How far measured times may be off from each other: set by whoever runs the test, 0 where times are exact. A
  /// comparison of times is written with it in favour of the system.
  bool isSlack = false;
};

using TestNodeId = Id<struct TestNodeTag>;

/// Something of the model that a step of a test exercises.
struct Covered {
  std::string what; ///< as reports show it: `Atm: Idle -> Verify by Withdrawal?`
  Span span;
};

/// A time of the test: time units since its start, an expression of type Real over the variables of the case. Stamps
/// of earlier events are such variables, so `stamp + 10` is ten units behind that event.
struct TimeBound {
  ExprId time; ///< invalid: no bound
  bool strict = false;
};

/// Gives an input to the system under test, now. Waiting before it is an Await that ends at its time.
struct SendNode {
  ChannelId channel;
  std::vector<ExprId> arguments;
  VariableId stamp; ///< takes the time of the event; may be invalid
  std::vector<Covered> covers;
  TestNodeId next;
};

/// An output that an Await expects. The guard and the updates see the variables, and the message as `Op::Local`.
struct AwaitBranch {
  ChannelId channel;
  ExprId guard;
  TimeBound from; ///< the window, both ends in time of the test
  TimeBound to;
  std::vector<Update> updates; ///< simultaneous, over the old values
  VariableId stamp;
  std::vector<Covered> covers;
  TestNodeId next;
};

/// Waits for an output until a time. The first branch whose channel, guard and window fit is taken; an output that no
/// branch fits is a fail. An output at the very instant `until` still counts.
struct AwaitNode {
  std::vector<AwaitBranch> branches;
  ExprId until;       ///< as in TimeBound; always valid
  TestNodeId timeout; ///< what follows when `until` came without an output
  std::string allows; ///< in words, what would have been right here: for the reason of a fail
};

struct VerdictNode {
  Verdict verdict = Verdict::Pass;
  std::string reason;
};

using TestNode = std::variant<SendNode, AwaitNode, VerdictNode>;

/// A tree (nodes may be shared) of sends and awaits that ends in verdicts. Node 0 is the root; no path meets a node
/// twice.
struct TestCase {
  std::string name;  ///< an identifier, unique in the suite
  std::string about; ///< why there is this test: purpose, goal, timing
  std::vector<TestVariable> variables;
  std::vector<TestNode> nodes;

  const TestNode& operator[](TestNodeId id) const { return nodes[id.value]; }
};

/// An automaton of the tested system in outline, so that reports can draw what tests cover.
struct OutlineEdge {
  Covered edge;      ///< named as the steps name it that cover it
  std::string label; ///< `Withdrawal?`, or nothing for a silent step
  uint32_t from = 0; ///< of the states
  uint32_t to = 0;
};
struct Outline {
  std::string name;
  std::vector<std::string> states;
  uint32_t initial = 0;
  std::vector<OutlineEdge> edges;
};

/// What every generator produces, and every backend and the executor consume. `model` has the types, the
/// expressions and the channels; nothing else of it is filled.
struct TestSuite {
  std::string name;
  std::string system;
  std::string generator; ///< how it was made: options and seed
  Model model;           ///< its name and `secondsPerUnit` are those of the tested model
  Rational tolerance;    ///< of measured times, in time units; inputs are no later than that behind their time
  std::vector<TestCase> cases;
  std::vector<std::pair<Covered, std::string>> uncovered; ///< a goal that no test reaches, and the reason
  std::vector<Outline> automata;                          ///< what was tested; may be missing
};

/// The suite for people: one block per test, outputs with their windows, a step that several lead to by its number.
std::string print(const TestSuite& suite);

/// What is wrong with the suite: names that clash, ids out of range, types that do not fit, a variable that is read
/// before it is set, a path that meets a node twice. Empty for every suite that a generator delivers or a file holds.
std::vector<std::string> verify(const TestSuite& suite);

/// Whether both say the same: equal up to source places and the numbering of expressions.
bool sameSuite(const TestSuite& a, const TestSuite& b);

/// Expressions of tests are written as trees; larger or deeper ones do not pass `verify`.
inline constexpr uint32_t kMaxTestExprSize = 100000;
inline constexpr uint32_t kMaxTestExprDepth = 500;

/// The nodes that can follow, in the order of the branches and then the timeout.
std::vector<TestNodeId> successors(const TestNode& node);

/// Whether a test may give it to the system under test, or see it come from there.
bool isStimulus(const Channel& channel);
bool isObservable(const Channel& channel);

/// The expressions of one case after another in words: knows the names of the case's variables and of the message.
class TestText {
public:
  explicit TestText(const TestSuite& suite);
  void enter(const TestCase& test);
  /// `message` is the channel whose parameters the expression may speak of; invalid: none.
  std::string expr(ExprId id, ChannelId message = {});
  std::string time(ExprId id);

private:
  Model model_; // with the variables of the case at hand
  Edge edge_;
  ChannelId message_;
};

const char* word(Verdict verdict);

} // namespace tioc::ir
