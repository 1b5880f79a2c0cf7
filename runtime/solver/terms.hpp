#pragma once

#include "runtime/eval/interpreter.hpp"
#include "runtime/solver/assignment.hpp"
#include "runtime/solver/unknowns.hpp"

#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tioc::solver {

/// A bool, number or enum inside an unknown. The scalars of a record or an array are counted through in order.
struct Place {
  uint32_t unknown = 0;
  uint32_t offset = 0;

  auto operator<=>(const Place&) const = default;
};

/// What all links need to know about expressions over unknowns; remembers what it has found out about them.
class Terms {
public:
  /// Unknowns beside those of the run, for questions of the solver's own.
  static constexpr uint32_t kAuxiliaryReal = UINT32_MAX - 1;
  static constexpr uint32_t kAuxiliaryInt = UINT32_MAX - 2;

  Terms(ir::Model& model, const Unknowns& unknowns) : model_(model), unknowns_(unknowns) {}

  const ir::Model& model() const { return model_; }
  ir::ExprPool& pool() { return model_.exprs; }
  const ir::TypeTable& types() const { return model_.types; }
  ir::TypeId typeOf(uint32_t unknown) const;
  /// Distinct for distinct unknowns.
  std::string nameOf(uint32_t unknown) const;
  /// As `nameOf`, with the way to the scalar: `u3 pdu.seq`.
  std::string nameOf(Place place);

  // ---- shapes

  /// The types of the scalars that a type consists of.
  const std::vector<ir::TypeId>& scalarsOf(ir::TypeId type);
  /// Where the scalars of a record's field begin.
  uint32_t offsetOfField(ir::TypeId record, uint32_t field);
  /// The place that an expression is, if it is one: an unknown, its fields, its elements at constant indices. A place
  /// of a composite type is that of its first scalar.
  std::optional<Place> placeOf(ir::ExprId expr);
  /// The other way round.
  ir::ExprId exprOf(Place place);
  ir::TypeId typeOf(Place place) { return scalarsOf(typeOf(place.unknown))[place.offset]; }

  // ---- conditions

  /// The unknowns that occur, in order.
  const std::vector<uint32_t>& unknownsOf(ir::ExprId expr);
  std::vector<uint32_t> unknownsOf(std::span<const ir::ExprId> conditions);
  /// Whether the expression speaks of unknowns only.
  bool isClosed(ir::ExprId expr);
  /// A condition that holds iff `expr` has a value; it has a value itself in any case. True for most expressions.
  ir::ExprId defined(ir::ExprId expr);
  /// A condition that holds iff `condition` does not: it is false or has no value.
  ir::ExprId fails(ir::ExprId condition);
  /// What the ranges inside `type` ask of `value`.
  void ranges(ir::ExprId value, ir::TypeId type, std::vector<ir::ExprId>& conditions);
  /// The conjuncts of all conditions, each once, without those that are true.
  std::vector<ir::ExprId> conjuncts(std::span<const ir::ExprId> conditions);
  /// Those of `path` that bear on `conditions`: they share unknowns with them, directly or by way of others. In order.
  std::vector<ir::ExprId> relevant(std::span<const ir::ExprId> path, std::span<const ir::ExprId> conditions);

  // ---- values

  // Conditions and terms must be closed. Unknowns without a value count as defaults.
  eval::Result evaluate(ir::ExprId expr, const Assignment& at) const;
  bool holds(ir::ExprId condition, const Assignment& at) const;
  /// The same where it is known without the interpreter, else nothing. The condition need not be closed.
  std::optional<bool> quicklyHolds(ir::ExprId condition, const Assignment& at) const;
  bool allHold(std::span<const ir::ExprId> conditions, const Assignment& at) const;
  /// Whether the conditions hold and every value keeps to its range.
  bool isModel(std::span<const ir::ExprId> conditions, const Assignment& at) const;
  /// Values of exactly the unknowns that occur: those of `hint` that keep to their range, else defaults. `hint` may be
  /// null.
  Assignment complete(std::span<const ir::ExprId> conditions, const Assignment* hint);
  /// The value of an unknown without a value; null for auxiliary ones. Stays where it is.
  const eval::Value* defaultOf(uint32_t unknown) const;
  /// The value at a place of an unknown that has one.
  ir::Rational& scalar(Assignment& at, Place place);
  /// A constant expression with this value.
  ir::ExprId constant(ir::TypeId type, const eval::Value& value);

private:
  struct Support {
    std::vector<uint32_t> unknowns;
    bool closed = true;
  };

  const Support& supportOf(ir::ExprId expr);
  ir::ExprId definedHere(ir::ExprId expr);
  ir::ExprId definedConnective(ir::ExprId expr);

  ir::Model& model_;
  const Unknowns& unknowns_;
  std::unordered_map<ir::TypeId, std::vector<ir::TypeId>> scalars_;
  std::deque<Support> supports_;             // references must last
  std::vector<uint32_t> supportOf_;          // by expression: index + 1; 0: not known yet
  mutable std::deque<eval::Value> defaults_; // by unknown
  std::vector<ir::ExprId> defined_;          // by expression; invalid: not known yet
};

} // namespace tioc::solver
