#pragma once

#include "runtime/semantics/concrete_state.hpp"
#include "runtime/testgen/projection.hpp"

namespace tioc::conformance {

/// Symbolic states with symbolic time in a form that does not grow with the path behind them: what is determined is a
/// constant, unknowns that no value hangs on are projected out, the others are numbered from 0 on, and of comparisons
/// that say the same the tightest stays. No step is counted in it: times are terms over unknowns.
class NormalForm {
public:
  explicit NormalForm(semantics::Symbols& symbols) : symbols_(symbols), pool_(symbols.pool()), project_(symbols) {}

  using Sink = std::function<void(semantics::SymbolicState&& state)>;
  /// How the present of a state is read.
  enum class Present : uint8_t {
    Is0,  ///< only where it is 0 after the shift
    Stays ///< it may be open
  };
  /// Gives states that together are the given one with all times shifted: `zero` becomes time 0. States that are surely
  /// empty are left out.
  void operator()(const semantics::SymbolicState& state, const ir::Rational& zero, Present present, const Sink& sink);

  /// Some projection was not exact, so that a result is larger than the state it came from.
  bool hasEnlarged() const { return enlarged_; }

  /// The values that the conditions leave to a real unknown, gaps included; nothing if that takes a solver.
  std::optional<semantics::Window> range(uint32_t unknown, const testgen::Conjunction& conditions);

  /// The unknown of that number and type.
  static ir::ExprId unknown(semantics::Symbols& symbols, uint32_t number, ir::TypeId type);

private:
  /// A state under work: its terms are in the order of `forEachPart`.
  struct Draft {
    std::vector<ir::ExprId> terms;
    testgen::Conjunction conditions;
  };

  /// Unknowns with factors, the first of which is 1.
  using Combination = std::vector<std::pair<uint32_t, ir::Rational>>;
  /// A linear comparison: the combination is at most (`upper`) or at least the value.
  struct Half {
    Combination combination;
    bool upper = false;
    bool strict = false;
    ir::Rational value;
    testgen::Projection::Linear form;
  };
  struct Ends {
    std::optional<Half> upper;
    std::optional<Half> lower;
  };

  bool simplify(testgen::Conjunction& conditions);
  std::optional<Half> halfOf(ir::ExprId condition);
  static bool implies(const Half& a, const Half& b);
  ir::ExprId reduce(ir::ExprId choice, const std::map<Combination, Ends>& known);
  bool tighten(testgen::Conjunction& conditions);
  bool settle(Draft& draft);
  bool solveOne(Draft& draft);
  std::optional<std::pair<uint32_t, ir::ExprId>> solved(ir::ExprId condition);
  void substitute(Draft& draft, uint32_t unknown, ir::ExprId value);
  static void forgetPast(semantics::SymbolicState& state);
  void emit(const semantics::SymbolicState& from, Draft&& draft, const Sink& sink);

  semantics::Symbols& symbols_;
  ir::ExprPool& pool_;
  testgen::Projection project_;
  bool enlarged_ = false;
};

} // namespace tioc::conformance
