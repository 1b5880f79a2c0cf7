#include "ir/expr.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace tioc::ir {

const char* opName(Op op) {
  static constexpr const char* kNames[] = {
      "bool",  "number", "literal", "variable", "local",    "parameter", "not",     "and",       "or",
      "equal", "less",   "lesseq",  "negate",   "add",      "mul",       "div",     "rem",       "toreal",
      "floor", "ite",    "record",  "field",    "setfield", "array",     "element", "setelement"};
  return kNames[static_cast<size_t>(op)];
}

ExprPool::ExprPool(TypeTable& types) : types_(&types), table_(1024) {
  boolean(false);
  boolean(true);
}

ExprPool::ExprPool(ExprPool&& other, TypeTable& types)
    : types_(&types), nodes_(std::move(other.nodes_)), operands_(std::move(other.operands_)),
      numbers_(std::move(other.numbers_)), numberIndex_(std::move(other.numberIndex_)),
      table_(std::move(other.table_)) {}

ExprPool::ExprPool(const ExprPool& other, TypeTable& types)
    : types_(&types), nodes_(other.nodes_), operands_(other.operands_), numbers_(other.numbers_),
      numberIndex_(other.numberIndex_), table_(other.table_) {}

// ---- interning

void ExprPool::grow() {
  std::vector<uint32_t> larger(table_.size() * 2);
  size_t mask = larger.size() - 1;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    size_t slot = nodes_[i].hash & mask;
    while (larger[slot] != 0)
      slot = (slot + 1) & mask;
    larger[slot] = static_cast<uint32_t>(i + 1);
  }
  table_ = std::move(larger);
}

ExprId ExprPool::intern(Op op, TypeId type, uint32_t payload, std::span<const ExprId> operands) {
  uint64_t hash = (static_cast<uint64_t>(op) << 32 | type.value) * 0x9e3779b97f4a7c15ULL ^ payload;
  for (ExprId operand : operands)
    hash = (hash ^ operand.value) * 0xff51afd7ed558ccdULL ^ (hash >> 29);
  // Low bits choose the slot, so all bits must reach them.
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
  hash ^= hash >> 33;
  size_t mask = table_.size() - 1;
  size_t slot = hash & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const Node& node = nodes_[table_[slot] - 1];
    if (node.hash == hash && node.op == op && node.type == type && node.payload == payload &&
        std::equal(operands.begin(), operands.end(), operands_.begin() + node.first,
                   operands_.begin() + node.first + node.count))
      return ExprId(table_[slot] - 1);
  }
  bool constant = op == Op::Bool || op == Op::Number || op == Op::EnumLiteral;
  if (op == Op::MakeRecord || op == Op::MakeArray)
    constant = std::all_of(operands.begin(), operands.end(), [&](ExprId id) { return isConstant(id); });
  ExprId id(nodes_.size());
  // `operands` may point into operands_, which the insertion below can move.
  std::vector<ExprId> copy(operands.begin(), operands.end());
  uint32_t depth = 0;
  uint64_t treeSize = 1;
  for (ExprId operand : copy) {
    depth = std::max(depth, nodes_[operand.value].depth + 1);
    treeSize += nodes_[operand.value].treeSize;
  }
  nodes_.push_back({hash, type, payload, static_cast<uint32_t>(operands_.size()), static_cast<uint32_t>(copy.size()),
                    depth, static_cast<uint32_t>(std::min<uint64_t>(treeSize, UINT32_MAX)), op, constant});
  operands_.insert(operands_.end(), copy.begin(), copy.end());
  table_[slot] = static_cast<uint32_t>(nodes_.size());
  if (nodes_.size() * 2 > table_.size())
    grow();
  return id;
}

// ---- leaves

const Rational* ExprPool::number(ExprId id) const {
  return op(id) == Op::Number ? &numbers_[payload(id)] : nullptr;
}

ExprId ExprPool::boolean(bool value) {
  return intern(Op::Bool, types_->boolean(), value ? 1 : 0, {});
}

ExprId ExprPool::numberOf(TypeId type, Rational value) {
  size_t key = value.hash();
  auto [begin, end] = numberIndex_.equal_range(key);
  for (auto it = begin; it != end; ++it)
    if (numbers_[it->second] == value)
      return intern(Op::Number, type, it->second, {});
  auto index = static_cast<uint32_t>(numbers_.size());
  numbers_.push_back(std::move(value));
  numberIndex_.emplace(key, index);
  return intern(Op::Number, type, index, {});
}

ExprId ExprPool::integer(Rational value) {
  assert(value.isInteger());
  return numberOf(types_->integer(), std::move(value));
}

ExprId ExprPool::real(Rational value) {
  return numberOf(types_->real(), std::move(value));
}

ExprId ExprPool::enumLiteral(TypeId type, uint32_t literal) {
  return intern(Op::EnumLiteral, type, literal, {});
}

ExprId ExprPool::variable(VariableId id, TypeId type) {
  return intern(Op::Variable, types_->unranged(type), id.value, {});
}

ExprId ExprPool::local(uint32_t index, TypeId type) {
  return intern(Op::Local, types_->unranged(type), index, {});
}

ExprId ExprPool::parameter(uint32_t index, TypeId type) {
  return intern(Op::Parameter, types_->unranged(type), index, {});
}

// ---- booleans

ExprId ExprPool::negation(ExprId a) {
  switch (op(a)) {
  case Op::Bool:
    return boolean(payload(a) == 0);
  case Op::Not:
    return operands(a)[0];
  case Op::Less:
    return lessEqual(operands(a)[1], operands(a)[0]);
  case Op::LessEqual:
    return less(operands(a)[1], operands(a)[0]);
  default:
    return intern(Op::Not, types_->boolean(), 0, {{a}});
  }
}

/// Flattens, drops the neutral element and repetitions, and stops at the absorbing element or at x beside its negation.
ExprId ExprPool::connective(Op kind, std::span<const ExprId> given) {
  const bool neutral = kind == Op::And;
  std::vector<ExprId> flat;
  std::unordered_set<ExprId> seen;
  auto push = [&](ExprId id) {
    if (op(id) == Op::Bool && (payload(id) == 1) == neutral)
      return;
    if (seen.insert(id).second)
      flat.push_back(id);
  };
  for (ExprId id : given) {
    if (op(id) != kind) {
      push(id);
      continue;
    }
    for (ExprId inner : operands(id))
      push(inner);
  }
  for (ExprId id : flat) {
    if (op(id) == Op::Bool || (op(id) == Op::Not && seen.contains(operands(id)[0])))
      return boolean(!neutral);
  }
  if (flat.empty())
    return boolean(neutral);
  return flat.size() == 1 ? flat[0] : intern(kind, types_->boolean(), 0, flat);
}

ExprId ExprPool::conjunction(std::span<const ExprId> given) {
  return connective(Op::And, given);
}

ExprId ExprPool::conjunction(ExprId a, ExprId b) {
  return connective(Op::And, {{a, b}});
}

ExprId ExprPool::disjunction(std::span<const ExprId> given) {
  return connective(Op::Or, given);
}

ExprId ExprPool::disjunction(ExprId a, ExprId b) {
  return connective(Op::Or, {{a, b}});
}

// ---- comparisons

ExprId ExprPool::equal(ExprId a, ExprId b) {
  if (a == b)
    return boolean(true);
  if (isConstant(a) && isConstant(b))
    return boolean(false); // constants are interned: different ids are different values
  if (isConstant(a))
    std::swap(a, b);
  if (op(b) == Op::Bool)
    return payload(b) == 1 ? a : negation(a);
  return intern(Op::Equal, types_->boolean(), 0, {{a, b}});
}

ExprId ExprPool::less(ExprId a, ExprId b) {
  if (a == b)
    return boolean(false);
  if (const Rational* x = number(a), *y = number(b); x && y)
    return boolean(*x < *y);
  return intern(Op::Less, types_->boolean(), 0, {{a, b}});
}

ExprId ExprPool::lessEqual(ExprId a, ExprId b) {
  if (a == b)
    return boolean(true);
  if (const Rational* x = number(a), *y = number(b); x && y)
    return boolean(*x <= *y);
  return intern(Op::LessEqual, types_->boolean(), 0, {{a, b}});
}

// ---- arithmetic

ExprId ExprPool::negate(ExprId a) {
  if (const Rational* value = number(a))
    return numberOf(type(a), -*value);
  if (op(a) == Op::Negate)
    return operands(a)[0];
  if (op(a) == Op::Multiply && number(operands(a)[0])) {
    std::vector<ExprId> factors(operands(a).begin(), operands(a).end());
    factors[0] = negate(factors[0]);
    return multiply(factors);
  }
  return intern(Op::Negate, type(a), 0, {{a}});
}

ExprId ExprPool::add(std::span<const ExprId> given) {
  assert(!given.empty());
  TypeId sumType = type(given[0]);
  Rational constant;
  std::vector<ExprId> terms;
  auto push = [&](ExprId id) {
    if (const Rational* value = number(id))
      constant = constant + *value;
    else
      terms.push_back(id);
  };
  for (ExprId id : given) {
    if (op(id) != Op::Add) {
      push(id);
      continue;
    }
    for (ExprId inner : operands(id))
      push(inner);
  }
  // x + -x cancels, so that differences of equal terms fold.
  if (std::any_of(terms.begin(), terms.end(), [&](ExprId id) { return op(id) == Op::Negate; })) {
    std::unordered_multimap<ExprId, size_t> open;
    std::vector<bool> gone(terms.size());
    for (size_t i = 0; i < terms.size(); ++i) {
      ExprId opposite = op(terms[i]) == Op::Negate ? operands(terms[i])[0] : negate(terms[i]);
      if (auto it = open.find(opposite); it != open.end()) {
        gone[i] = gone[it->second] = true;
        open.erase(it);
      } else {
        open.emplace(terms[i], i);
      }
    }
    size_t kept = 0;
    for (size_t i = 0; i < terms.size(); ++i)
      if (!gone[i])
        terms[kept++] = terms[i];
    terms.resize(kept);
  }
  if (terms.empty() || !constant.isZero())
    terms.push_back(numberOf(sumType, constant));
  return terms.size() == 1 ? terms[0] : intern(Op::Add, sumType, 0, terms);
}

ExprId ExprPool::multiply(std::span<const ExprId> given) {
  assert(!given.empty());
  TypeId productType = type(given[0]);
  Rational constant = 1;
  std::vector<ExprId> factors;
  auto push = [&](ExprId id) {
    if (const Rational* value = number(id)) {
      constant = constant * *value;
    } else if (op(id) == Op::Negate) {
      constant = -constant;
      factors.push_back(operands(id)[0]);
    } else {
      factors.push_back(id);
    }
  };
  for (ExprId id : given) {
    if (op(id) != Op::Multiply) {
      push(id);
      continue;
    }
    for (ExprId inner : operands(id))
      push(inner);
  }
  if (constant.isZero() || factors.empty())
    return numberOf(productType, constant);
  if (factors.size() == 1 && constant == Rational(-1))
    return negate(factors[0]);
  if (constant != Rational(1))
    factors.insert(factors.begin(), numberOf(productType, constant));
  return factors.size() == 1 ? factors[0] : intern(Op::Multiply, productType, 0, factors);
}

ExprId ExprPool::divide(ExprId a, ExprId b) {
  const Rational* x = number(a);
  const Rational* y = number(b);
  if (y && *y == Rational(1))
    return a;
  if (x && y && !y->isZero())
    return numberOf(type(a), type(a) == types_->real() ? *x / *y : euclideanQuotient(*x, *y));
  return intern(Op::Divide, type(a), 0, {{a, b}});
}

ExprId ExprPool::remainder(ExprId a, ExprId b) {
  const Rational* x = number(a);
  const Rational* y = number(b);
  if (x && y && !y->isZero())
    return integer(euclideanRemainder(*x, *y));
  return intern(Op::Remainder, type(a), 0, {{a, b}});
}

ExprId ExprPool::toReal(ExprId a) {
  if (type(a) == types_->real())
    return a;
  if (const Rational* value = number(a))
    return real(*value);
  // Pushed to the leaves of sums and products, so that a sum has one form whichever operand made it real.
  if (op(a) == Op::Add || op(a) == Op::Multiply || op(a) == Op::Negate) {
    std::vector<ExprId> parts(operands(a).begin(), operands(a).end());
    for (ExprId& part : parts)
      part = toReal(part);
    return op(a) == Op::Add ? add(parts) : op(a) == Op::Multiply ? multiply(parts) : negate(parts[0]);
  }
  return intern(Op::ToReal, types_->real(), 0, {{a}});
}

ExprId ExprPool::floor(ExprId a) {
  if (const Rational* value = number(a))
    return integer(value->floor());
  if (op(a) == Op::ToReal)
    return operands(a)[0];
  return intern(Op::Floor, types_->integer(), 0, {{a}});
}

ExprId ExprPool::ifThenElse(ExprId condition, ExprId yes, ExprId no) {
  if (isTrue(condition) || yes == no)
    return yes;
  if (isFalse(condition))
    return no;
  if (isTrue(yes))
    return disjunction(condition, no);
  if (isFalse(no))
    return conjunction(condition, yes);
  if (isFalse(yes))
    return conjunction(negation(condition), no);
  if (isTrue(no))
    return disjunction(negation(condition), yes);
  return intern(Op::IfThenElse, type(yes), 0, {{condition, yes, no}});
}

// ---- records and arrays

ExprId ExprPool::makeRecord(TypeId recordType, std::span<const ExprId> fields) {
  return intern(Op::MakeRecord, recordType, 0, fields);
}

ExprId ExprPool::field(ExprId record, uint32_t index, TypeId fieldType) {
  if (op(record) == Op::MakeRecord)
    return operands(record)[index];
  if (op(record) == Op::SetField)
    return payload(record) == index ? operands(record)[1] : field(operands(record)[0], index, fieldType);
  return intern(Op::Field, types_->unranged(fieldType), index, {{record}});
}

ExprId ExprPool::setField(ExprId record, uint32_t index, ExprId value) {
  if (op(record) == Op::MakeRecord) {
    std::vector<ExprId> fields(operands(record).begin(), operands(record).end());
    fields[index] = value;
    return makeRecord(type(record), fields);
  }
  if (op(record) == Op::SetField && payload(record) == index)
    return setField(operands(record)[0], index, value);
  return intern(Op::SetField, type(record), index, {{record, value}});
}

ExprId ExprPool::makeArray(TypeId arrayType, std::span<const ExprId> elements) {
  return intern(Op::MakeArray, arrayType, 0, elements);
}

ExprId ExprPool::element(ExprId array, ExprId index) {
  TypeId elementType = types_->unranged((*types_)[type(array)].element);
  const Rational* at = number(index);
  std::optional<int64_t> position = at ? at->toInt64() : std::nullopt;
  if (op(array) == Op::MakeArray && position && *position >= 0 && size_t(*position) < operands(array).size())
    return operands(array)[*position];
  if (op(array) == Op::SetElement) {
    ExprId written = operands(array)[1];
    // Only constant indices are known to be in range; anything else keeps the access, and with it the error.
    if (at && number(written)) {
      auto size = static_cast<int64_t>((*types_)[type(array)].size);
      bool inRange = position && *position >= 0 && *position < size;
      if (inRange && written == index)
        return operands(array)[2];
      if (inRange && number(written)->sign() >= 0 && *number(written) < Rational(size))
        return element(operands(array)[0], index);
    }
  }
  return intern(Op::Element, elementType, 0, {{array, index}});
}

ExprId ExprPool::setElement(ExprId array, ExprId index, ExprId value) {
  if (const Rational* at = number(index); at && op(array) == Op::MakeArray) {
    std::optional<int64_t> position = at->toInt64();
    if (position && *position >= 0 && size_t(*position) < operands(array).size()) {
      std::vector<ExprId> elements(operands(array).begin(), operands(array).end());
      elements[*position] = value;
      return makeArray(type(array), elements);
    }
  }
  if (op(array) == Op::SetElement && operands(array)[1] == index)
    return setElement(operands(array)[0], index, value);
  return intern(Op::SetElement, type(array), 0, {{array, index, value}});
}

// ---- traversal

ExprId ExprPool::rebuild(ExprId like, std::span<const ExprId> given) {
  return isLeaf(like) ? like : make(op(like), type(like), payload(like), given);
}

ExprId ExprPool::adopt(const ExprPool& other, ExprId like, std::span<const ExprId> given) {
  if (const Rational* value = other.number(like))
    return numberOf(other.type(like), *value);
  return make(other.op(like), other.type(like), other.payload(like), given);
}

ExprId ExprPool::make(Op op, TypeId type, uint32_t payload, std::span<const ExprId> given) {
  switch (op) {
  case Op::Not:
    return negation(given[0]);
  case Op::And:
  case Op::Or:
    return connective(op, given);
  case Op::Equal:
    return equal(given[0], given[1]);
  case Op::Less:
    return less(given[0], given[1]);
  case Op::LessEqual:
    return lessEqual(given[0], given[1]);
  case Op::Negate:
    return negate(given[0]);
  case Op::Add:
    return add(given);
  case Op::Multiply:
    return multiply(given);
  case Op::Divide:
    return divide(given[0], given[1]);
  case Op::Remainder:
    return remainder(given[0], given[1]);
  case Op::ToReal:
    return toReal(given[0]);
  case Op::Floor:
    return floor(given[0]);
  case Op::IfThenElse:
    return ifThenElse(given[0], given[1], given[2]);
  case Op::MakeRecord:
    return makeRecord(type, given);
  case Op::Field:
    return field(given[0], payload, type);
  case Op::SetField:
    return setField(given[0], payload, given[1]);
  case Op::MakeArray:
    return makeArray(type, given);
  case Op::Element:
    return element(given[0], given[1]);
  case Op::SetElement:
    return setElement(given[0], given[1], given[2]);
  case Op::Bool:
  case Op::Number:
  case Op::EnumLiteral:
  case Op::Variable:
  case Op::Local:
  case Op::Parameter:
    break;
  }
  return intern(op, type, payload, given);
}

ExprId ExprPool::Substitution::operator()(ExprId root) {
  // An explicit stack: expressions built by long symbolic runs are too deep for recursion.
  std::vector<ExprId> stack{root};
  std::vector<ExprId> parts;
  while (!stack.empty()) {
    ExprId id = stack.back();
    if (known_.contains(id)) {
      stack.pop_back();
      continue;
    }
    if (pool_.isLeaf(id)) {
      ExprId replacement = leaf_(id);
      known_[id] = replacement.valid() ? replacement : id;
      stack.pop_back();
      continue;
    }
    size_t before = stack.size();
    for (ExprId operand : pool_.operands(id))
      if (!known_.contains(operand))
        stack.push_back(operand);
    if (stack.size() != before)
      continue;
    parts.clear();
    bool changed = false;
    for (ExprId operand : pool_.operands(id)) {
      parts.push_back(known_[operand]);
      changed |= parts.back() != operand;
    }
    known_[id] = changed ? pool_.rebuild(id, parts) : id;
    stack.pop_back();
  }
  return known_[root];
}

ExprId ExprPool::substitute(ExprId root, const std::function<ExprId(ExprId leaf)>& leaf) {
  return Substitution(*this, leaf)(root);
}

void ExprPool::visit(ExprId root, const std::function<void(ExprId)>& fn) const {
  std::unordered_set<ExprId> done;
  std::vector<ExprId> stack{root};
  while (!stack.empty()) {
    ExprId id = stack.back();
    size_t before = stack.size();
    if (!done.contains(id))
      for (ExprId operand : operands(id))
        if (!done.contains(operand))
          stack.push_back(operand);
    if (stack.size() != before)
      continue;
    stack.pop_back();
    if (done.insert(id).second)
      fn(id);
  }
}

std::vector<ExprId> ExprPool::conjuncts(ExprId id) const {
  if (isTrue(id))
    return {};
  if (op(id) == Op::And)
    return {operands(id).begin(), operands(id).end()};
  return {id};
}

} // namespace tioc::ir
