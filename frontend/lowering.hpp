#pragma once

#include "frontend/diagnostics.hpp"
#include "frontend/program.hpp"
#include "frontend/syntax.hpp"
#include "ir/model.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Private to the frontend: names, types and the way from the syntax tree to the model.
namespace tioc::frontend {

using ir::ExprId;
using ir::TypeId;

enum class SymbolKind : uint8_t {
  Constant,
  Enum,
  EnumLiteral,
  Record,
  Alias,
  Function,
  Channel,
  Variable,
  Clock,
  Automaton,
  System,
  Suite
};

/// A declaration at module level. Constants, types and functions are worked out when they are first needed, so their
/// order in the file does not matter.
struct Symbol {
  SymbolKind kind;
  syntax::Name name;
  size_t module = 0;
  const void* decl = nullptr; ///< the syntax node
  uint32_t index = 0;         ///< of the model's entity; EnumLiteral: of the literal
  ir::EnumId enumeration;     ///< EnumLiteral
  bool used = false;
  bool tested = false; ///< Clock
  enum class State : uint8_t { New, Open, Done, Broken } state = State::New;
  TypeId type;                    ///< Constant, Alias, Function (result)
  ExprId value;                   ///< Constant; Function: the body over Parameter leaves
  std::vector<TypeId> parameters; ///< Function
};

using SymbolId = uint32_t;

struct ModuleScope {
  std::unordered_map<std::string_view, SymbolId> names;
  std::unordered_multimap<std::string_view, SymbolId> literals;
  std::string dotted;
  ir::Rational secondsPerUnit = 1;
  Span timescale; ///< where it is stated, if it is
};

/// What an automaton's own names stand for.
struct LocalSymbol {
  enum class Kind : uint8_t { Variable, Clock, Parameter } kind;
  uint32_t index = 0;
  TypeId type;
  syntax::Name name;
  bool used = false;
  bool tested = false;
};

struct AutomatonScope {
  const syntax::Automaton* syntax = nullptr;
  size_t module = 0;
  ir::AutomatonId id;
  bool broken = false;                                ///< some edge had an error, so not all edges are there
  ir::SystemId system;                                ///< that it is on its own, if it has no parameters
  std::unordered_map<std::string_view, size_t> names; ///< into locals
  std::vector<LocalSymbol> locals;
  std::unordered_map<std::string_view, ir::LocationId> locations;
  std::unordered_map<ir::LocationId, ir::GroupId> implicitGroups; ///< of states with an `after` of their own
};

struct BoundName {
  uint32_t index = 0;
  TypeId type;
  syntax::Name name;
  bool used = false;
  bool inGuard = false;
};

/// Where an expression stands, and so what its names mean.
struct Scope {
  size_t module = 0;
  AutomatonScope* automaton = nullptr;
  std::vector<AutomatonScope*> subjects;                                 ///< a purpose reads these
  std::map<const AutomatonScope*, const std::vector<ExprId>*> arguments; ///< of the subjects' parameters
  std::map<std::string_view, AutomatonScope*> namedSubjects;             ///< by component name
  std::vector<BoundName>* bound = nullptr;                               ///< message parameters of the edge
  const std::vector<syntax::Parameter>* parameters = nullptr;            ///< of a function
  const std::vector<TypeId>* parameterTypes = nullptr;
  std::optional<std::pair<std::string_view, ExprId>> replica; ///< `for i in …` of a component
  bool inGuard = false;
};

struct Value {
  ExprId id;
  TypeId type;
  bool ok() const { return id.valid(); }
};

/// One step into a record or an array.
struct PlaceStep {
  bool field = false;
  uint32_t index = 0; ///< of the field
  ExprId at;          ///< of the element
  TypeId type;        ///< of what the step leads to
};

/// What stands on the left of `:=`.
struct Place {
  std::string key; ///< `a[1].f`, to see whether two places are the same
  TypeId type;
  std::vector<PlaceStep> steps;
  bool fixed = true; ///< all indices are constant, so the key says it all
};

class Lowering {
  /// Counts definitions that need each other; too long a chain is reported instead of exhausting the stack.
  struct DepthGuard {
    DepthGuard(Lowering& owner, Symbol& symbol);
    ~DepthGuard() { --owner.resolving_; }
    Lowering& owner;
    bool ok;
  };

public:
  Lowering(const Program& program, Diagnostics& diagnostics);
  std::optional<ir::Model> run();

private:
  // lower.cpp: declarations
  void declareModules();
  void declareItem(size_t module, const syntax::Item& item);
  void declare(SymbolKind kind, size_t module, const syntax::Name& name, const void* decl, uint32_t index);
  void timescale(size_t module, const syntax::Timescale& scale, bool& seen);
  void resolveTypes();
  void sharedTypes();
  void sharedDeclarations();
  void resolveConstant(Symbol& symbol);
  void resolveFunction(Symbol& symbol);
  std::string uniqueName(size_t module, std::string_view name);
  void unusedNames();

  // lower_types.cpp
  TypeId type(const syntax::Type& type, size_t module);
  TypeId namedType(const syntax::QualifiedName& name, size_t module);
  bool containsRecord(TypeId type, ir::RecordId record, std::vector<bool>& seen) const;
  std::string show(TypeId type) const;
  /// The value as one of `target`, or an invalid one after a report.
  ExprId convert(Value value, TypeId target, Span at);
  void checkRange(ExprId value, TypeId target, Span at);

  // lower_names.cpp
  /// Finds a module-level name, own or imported; reports if it is unknown (unless `quiet`) or ambiguous.
  Symbol* find(const syntax::QualifiedName& name, size_t module, bool quiet = false);
  Symbol* findSimple(std::string_view name, Span at, size_t module, bool quiet);
  Symbol* expect(const syntax::QualifiedName& name, size_t module, SymbolKind kind, const char* what);
  std::vector<std::string> visibleNames(const Scope& scope) const;
  void unknown(std::string_view name, Span at, const std::vector<std::string>& candidates);
  LocalSymbol* localOf(AutomatonScope& automaton, std::string_view name);
  static const char* describe(SymbolKind kind);
  syntax::QualifiedName asQualified(const syntax::Module& tree, syntax::ExprRef expr) const;

  // lower_expr.cpp
  const syntax::Module& tree(const Scope& scope) const { return program_.modules[scope.module].syntax; }
  Value check(syntax::ExprRef ref, Scope& scope, TypeId expected = {});
  Value checkName(const syntax::Expr& expr, Scope& scope);
  Value checkField(const syntax::Expr& expr, Scope& scope);
  Value checkIndex(const syntax::Expr& expr, Scope& scope);
  Value checkCall(const syntax::Expr& expr, Scope& scope);
  Value callBuiltin(const syntax::Expr& expr, std::string_view name, Scope& scope);
  Value callFunction(const syntax::Expr& expr, Symbol& symbol, Scope& scope);
  Value makeRecord(const syntax::Expr& expr, TypeId type, Scope& scope);
  Value checkArray(const syntax::Expr& expr, Scope& scope, TypeId expected);
  Value checkArithmetic(const syntax::Expr& expr, Scope& scope);
  Value checkComparison(const syntax::Expr& expr, Scope& scope);
  Value checkConnective(const syntax::Expr& expr, Scope& scope);
  Value checkConditional(const syntax::Expr& expr, Scope& scope, TypeId expected);
  Value readLocal(AutomatonScope& owner, LocalSymbol& symbol, const syntax::Expr& expr, Scope& scope);
  Value readSymbol(Symbol& symbol, Span at);
  ExprId condition(syntax::ExprRef ref, Scope& scope);
  ExprId constant(syntax::ExprRef ref, Scope& scope, const char* what, TypeId expected = {});
  std::optional<ir::Rational> wholeNumber(syntax::ExprRef ref, Scope& scope, const char* what);
  /// Brings two numbers to one type. False, after a report, if they are none.
  bool unify(Value& a, Value& b, const char* op, Span at);
  ExprId limited(ExprId id, Span at);

  // lower_time.cpp
  bool mentionsClock(syntax::ExprRef ref, Scope& scope);
  std::optional<ir::ClockId> clockNamed(const syntax::Expr& expr, Scope& scope, bool test);
  std::vector<ir::Guard> alternatives(syntax::ExprRef ref, Scope& scope, bool positive, bool& ok);
  std::vector<ir::Guard> comparison(const syntax::Expr& expr, Scope& scope, bool positive, bool& ok);
  /// The guard, with more than one element only where `disjunctions` are allowed. Empty after an error.
  std::vector<ir::Guard> guards(syntax::ExprRef ref, Scope& scope, bool disjunctions, const char* what);
  ir::Guard trueGuard();
  /// A time value in units of the model, of type Real.
  ExprId time(syntax::ExprRef ref, Scope& scope, const char* what);

  // lower_automaton.cpp
  void declareAutomata();
  void declareLocals(AutomatonScope& scope);
  void declareStates(AutomatonScope& scope);
  void lowerAutomata();
  void lowerAutomaton(AutomatonScope& scope);
  void lowerInit(AutomatonScope& scope, Scope& names);
  void lowerGroups(AutomatonScope& scope, Scope& names);
  void lowerRestarts(AutomatonScope& scope, const syntax::Group& group, ir::GroupId id);
  void lowerGroupDelays(AutomatonScope& scope, const syntax::Group& group, ir::GroupId id, Scope& names);
  Scope scopeOf(AutomatonScope& scope);
  ir::GroupId addGroup(AutomatonScope& scope, std::string name, bool implicit, Span span);
  std::optional<ir::LocationId> state(AutomatonScope& scope, const syntax::Name& name);

  // lower_edge.cpp
  void lowerEdge(AutomatonScope& scope, const syntax::Edge& edge, ir::LocationId source, Scope& names);
  /// Everything of an edge but where it starts. One element per alternative of the guard; empty after errors.
  std::vector<ir::Edge> edgeBody(AutomatonScope& scope, const syntax::Edge& edge, Scope& names);
  bool lowerTrigger(AutomatonScope& scope, const syntax::Edge& edge, ir::Edge& result, Scope& names,
                    std::vector<ExprId>& terms);
  bool lowerMessage(AutomatonScope& scope, const syntax::Edge& edge, ir::Edge& result, Scope& names,
                    std::vector<ExprId>& terms);
  void lowerAssignments(AutomatonScope& scope, const syntax::Clause& clause, ir::Edge& result, Scope& names);
  bool assignClock(AutomatonScope& scope, const syntax::Assignment& assignment, std::set<std::string>& places,
                   ir::Edge& result, Scope& names);
  void assignVariable(AutomatonScope& scope, const syntax::Assignment& assignment, std::set<std::string>& places,
                      ir::Edge& result, Scope& names);
  std::optional<ir::VariableId> writableVariable(AutomatonScope& scope, const syntax::Expr& root,
                                                 std::vector<syntax::ExprRef>& chain, Span place, Scope& names);
  bool followPlace(const std::vector<syntax::ExprRef>& chain, Scope& names, Place& place);
  void lowerClause(AutomatonScope& scope, const syntax::Clause& clause, ir::Edge& result, Scope& names);
  bool clauseAllowed(AutomatonScope& scope, const syntax::Clause& clause);
  void afterEdge(const syntax::Edge& edge, const ir::Edge& result, std::vector<BoundName>& bound);
  bool isDataConstantName(const syntax::Expr& expr, Scope& scope);

  // lower_system.cpp
  void declareSystems();
  void lowerSystems();
  void lowerSystem(Symbol& symbol);
  bool lowerComponent(const syntax::Component& component, size_t module, ir::System& result,
                      std::optional<ir::Rational> replica);
  void lowerSuites();
  void lowerSetting(const syntax::Setting& setting, size_t module, ir::Suite& suite);
  std::optional<ir::SystemId> subject(const syntax::QualifiedName& name, size_t module);

  const Program& program_;
  Diagnostics& diagnostics_;
  ir::Model model_;
  std::vector<Symbol> symbols_;
  std::vector<ModuleScope> modules_;
  std::vector<AutomatonScope> automata_;               // same order as model_.automata
  std::vector<std::vector<int8_t>> clockMemo_;         // per module, per expression: -1 unknown
  std::unordered_map<std::string, uint32_t> topNames_; // names given to entities of the model
  std::set<std::string> rootNames_;                    // that the root module declares
  uint32_t nextOrigin_ = 0;
  bool resolvedTooDeeply_ = false;
  size_t resolving_ = 0; // definitions being worked out inside one another
};

} // namespace tioc::frontend
