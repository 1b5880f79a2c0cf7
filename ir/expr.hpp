#pragma once

#include "ir/ids.hpp"
#include "ir/rational.hpp"
#include "ir/types.hpp"

#include <functional>
#include <span>
#include <vector>

namespace tioc::ir {

/// The operators of expressions. Their operands are other expressions, their payload says which leaf, field or number
/// is meant.
enum class Op : uint8_t {
  // Leaves.
  Bool,        ///< payload: 0 or 1
  Number,      ///< payload: see ExprPool::number; type Int or Real
  EnumLiteral, ///< payload: index of the literal
  Variable,    ///< payload: VariableId
  Local,       ///< payload: index of an edge's message parameter
  Parameter,   ///< payload: index of an automaton's parameter, gone after instantiation
  // Booleans; And and Or have two or more operands, evaluated from left to right.
  Not,
  And,
  Or,
  // Comparisons. Equal takes any type, the others numbers of one type.
  Equal,
  Less,
  LessEqual,
  // Arithmetic; Add and Multiply have two or more operands. Divide on Int is the Euclidean quotient, on Real exact.
  Negate,
  Add,
  Multiply,
  Divide,
  Remainder,
  ToReal,
  Floor,
  IfThenElse,
  // Records and arrays; the Set forms give a changed copy.
  MakeRecord,
  Field,    ///< payload: index of the field
  SetField, ///< operands: record, value; payload: index of the field
  MakeArray,
  Element,    ///< operands: array, index
  SetElement, ///< operands: array, index, value
};

const char* opName(Op op);

/// The hash-consed expressions of a model. Operands always have smaller ids than the expression that uses them, and
/// equal expressions have equal ids. Every constructor folds what it can: a result may be simpler than what was asked
/// for.
class ExprPool {
public:
  explicit ExprPool(TypeTable& types);
  /// Moves the expressions of `other`, to live on beside `types`.
  ExprPool(ExprPool&& other, TypeTable& types);
  ExprPool(const ExprPool& other, TypeTable& types);

  Op op(ExprId id) const { return nodes_[id.value].op; }
  TypeId type(ExprId id) const { return nodes_[id.value].type; }
  uint32_t payload(ExprId id) const { return nodes_[id.value].payload; }
  std::span<const ExprId> operands(ExprId id) const {
    const Node& node = nodes_[id.value];
    return {operands_.data() + node.first, node.count};
  }
  size_t size() const { return nodes_.size(); }

  /// Longest way to a leaf; leaves have depth 0.
  uint32_t depth(ExprId id) const { return nodes_[id.value].depth; }
  /// Number of nodes when written as a tree, or UINT32_MAX if that is more.
  uint32_t treeSize(ExprId id) const { return nodes_[id.value].treeSize; }
  bool isConstant(ExprId id) const { return nodes_[id.value].constant; }
  bool isTrue(ExprId id) const { return op(id) == Op::Bool && payload(id) == 1; }
  bool isFalse(ExprId id) const { return op(id) == Op::Bool && payload(id) == 0; }
  /// The value of a Number, else null.
  const Rational* number(ExprId id) const;

  ExprId boolean(bool value);
  ExprId integer(Rational value);
  ExprId real(Rational value);
  ExprId enumLiteral(TypeId type, uint32_t literal);
  ExprId variable(VariableId id, TypeId type);
  ExprId local(uint32_t index, TypeId type);
  ExprId parameter(uint32_t index, TypeId type);

  ExprId negation(ExprId a);
  ExprId conjunction(std::span<const ExprId> operands);
  ExprId conjunction(ExprId a, ExprId b);
  ExprId disjunction(std::span<const ExprId> operands);
  ExprId disjunction(ExprId a, ExprId b);
  ExprId equal(ExprId a, ExprId b);
  ExprId less(ExprId a, ExprId b);
  ExprId lessEqual(ExprId a, ExprId b);
  ExprId negate(ExprId a);
  ExprId add(std::span<const ExprId> operands);
  ExprId multiply(std::span<const ExprId> operands);
  ExprId divide(ExprId a, ExprId b);
  ExprId remainder(ExprId a, ExprId b);
  ExprId toReal(ExprId a);
  ExprId floor(ExprId a);
  ExprId ifThenElse(ExprId condition, ExprId yes, ExprId no);
  ExprId makeRecord(TypeId type, std::span<const ExprId> fields);
  ExprId field(ExprId record, uint32_t index, TypeId type);
  ExprId setField(ExprId record, uint32_t index, ExprId value);
  ExprId makeArray(TypeId type, std::span<const ExprId> elements);
  ExprId element(ExprId array, ExprId index);
  ExprId setElement(ExprId array, ExprId index, ExprId value);

  /// The same operator as `like`, on other operands.
  ExprId rebuild(ExprId like, std::span<const ExprId> operands);
  /// The same for an expression of another pool with the same types; `operands` are of this one.
  ExprId adopt(const ExprPool& other, ExprId like, std::span<const ExprId> operands);

  /// Any operator but a leaf, on operands that fit it (`typeOf` in typing.hpp tells, and gives the type).
  ExprId make(Op op, TypeId type, uint32_t payload, std::span<const ExprId> operands);

  /// Replaces leaves: `leaf` gives the replacement of a leaf, or an invalid id to keep it.
  ExprId substitute(ExprId root, const std::function<ExprId(ExprId leaf)>& leaf);
  /// As above for many roots with one memory of what is already known.
  class Substitution {
  public:
    Substitution(ExprPool& pool, std::function<ExprId(ExprId leaf)> leaf) : pool_(pool), leaf_(std::move(leaf)) {}
    ExprId operator()(ExprId root);

  private:
    ExprPool& pool_;
    std::function<ExprId(ExprId leaf)> leaf_;
    std::unordered_map<ExprId, ExprId> known_;
  };

  /// Visits every distinct expression below `root`, operands first.
  void visit(ExprId root, const std::function<void(ExprId)>& fn) const;

  /// The top-level conjuncts: the operands of an And, nothing for true, else the expression itself.
  std::vector<ExprId> conjuncts(ExprId id) const;

private:
  struct Node {
    uint64_t hash = 0;
    TypeId type;
    uint32_t payload = 0;
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t depth = 0;
    uint32_t treeSize = 1;
    Op op = Op::Bool;
    bool constant = false;
  };

  ExprId intern(Op op, TypeId type, uint32_t payload, std::span<const ExprId> operands);
  ExprId numberOf(TypeId type, Rational value);
  ExprId connective(Op op, std::span<const ExprId> operands);
  bool isLeaf(ExprId id) const { return nodes_[id.value].count == 0; }
  void grow();

  TypeTable* types_;
  std::vector<Node> nodes_;
  std::vector<ExprId> operands_;
  std::vector<Rational> numbers_;
  std::unordered_multimap<size_t, uint32_t> numberIndex_;
  std::vector<uint32_t> table_; // open addressing: node index + 1, or 0
};

} // namespace tioc::ir
