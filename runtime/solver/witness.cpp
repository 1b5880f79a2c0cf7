#include "runtime/solver/witness.hpp"

#include "runtime/solver/intervals.hpp"

#include <algorithm>

namespace tioc::solver {

using eval::Value;
using ir::ExprId;
using ir::Op;
using ir::Rational;
using ir::TypeKind;

namespace {

// A question to Z3 costs as much as some thousand evaluations of a guard; more are not worth trying.
constexpr size_t kMostEvaluations = 1000;
constexpr size_t kMostAtoms = 8;
constexpr size_t kMostPlaces = 16;
constexpr size_t kMostBroken = 8;            // conditions by one change
constexpr uint32_t kLargestCondition = 2000; // nodes as a tree
// An unknown that others depend on goes further than it must, so that it can stay there for the next questions.
constexpr int64_t kSlack = 64;

/// One search from an assignment on.
class Neighbourhood {
public:
  Neighbourhood(Terms& terms, std::span<const ExprId> conditions, std::vector<ExprId> failing, Assignment start)
      : terms_(terms), pool_(terms.pool()), conditions_(conditions), at_(std::move(start)),
        failing_(std::move(failing)) {}

  std::optional<Assignment> search() {
    while (!failing_.empty())
      if (!improve())
        return std::nullopt;
    Assignment changes;
    for (uint32_t unknown : moved_)
      changes.set(unknown, *at_.find(unknown));
    return changes;
  }

private:
  /// A change of one unknown, and what does not hold any more behind it.
  struct Change {
    uint32_t unknown = 0;
    Value value;
    std::vector<ExprId> broken;
  };

  bool holds(ExprId condition) {
    ++evaluations_;
    return terms_.holds(condition, at_);
  }

  bool isSpent() const { return evaluations_ > kMostEvaluations; }

  /// Mends the first failing condition by a change that breaks nothing, or else by the one that breaks least: what it
  /// breaks is mended in turn.
  bool improve() {
    const ExprId target = failing_.front();
    if (pool_.treeSize(target) > kLargestCondition || !isComplete(target))
      return false;
    best_.reset();
    // A condition that a change has broken may speak of unknowns that the start had no value for.
    for (uint32_t unknown : terms_.unknownsOf(target))
      if (!at_.find(unknown))
        at_.set(unknown, eval::defaultValue(terms_.model(), terms_.typeOf(unknown)));
    for (ExprId atom : atomsOf(target)) {
      isDifferenceKnown_ = false;
      if (assignSide(atom, 0, target) || assignSide(atom, 1, target))
        return true;
      size_t places = 0;
      // The later an unknown came, the less depends on it.
      const auto& unknowns = terms_.unknownsOf(atom);
      for (auto it = unknowns.rbegin(); it != unknowns.rend(); ++it) {
        const uint32_t unknown = *it;
        const auto count = static_cast<uint32_t>(terms_.scalarsOf(terms_.typeOf(unknown)).size());
        for (uint32_t offset = 0; offset < count && places < kMostPlaces; ++offset, ++places)
          if (moveScalar(atom, {unknown, offset}, target))
            return true;
        if (isSpent())
          return false;
      }
    }
    if (!best_)
      return false;
    *at_.find(best_->unknown) = best_->value;
    keep(*best_, target);
    return true;
  }

  /// Gives unknowns without a value, as conditions that a change broke may have them, their defaults.
  bool isComplete(ExprId condition) {
    for (uint32_t unknown : terms_.unknownsOf(condition)) {
      if (at_.find(unknown))
        continue;
      const Value* const value = terms_.defaultOf(unknown);
      if (!value)
        return false;
      at_.set(unknown, *value);
    }
    return true;
  }

  /// The comparisons and booleans that a condition is composed of.
  std::vector<ExprId> atomsOf(ExprId condition) {
    std::vector<ExprId> atoms;
    std::vector<ExprId> stack{condition};
    while (!stack.empty() && atoms.size() < kMostAtoms) {
      ExprId id = stack.back();
      stack.pop_back();
      const Op op = pool_.op(id);
      if (op == Op::Not || op == Op::And || op == Op::Or || op == Op::IfThenElse)
        stack.insert(stack.end(), pool_.operands(id).rbegin(), pool_.operands(id).rend());
      else
        atoms.push_back(id);
    }
    return atoms;
  }

  /// For `place == term`: the place becomes what the term is now, records and arrays as a whole.
  bool assignSide(ExprId atom, size_t side, ExprId target) {
    if (pool_.op(atom) != Op::Equal)
      return false;
    const ExprId to = pool_.operands(atom)[side];
    auto place = terms_.placeOf(to);
    if (!place || isSpent())
      return false;
    ++evaluations_;
    eval::Result value = terms_.evaluate(pool_.operands(atom)[1 - side], at_);
    if (!value.ok())
      return false;
    const Value before = *at_.find(place->unknown);
    const auto scalars = static_cast<uint32_t>(terms_.scalarsOf(pool_.type(to)).size());
    std::vector<Rational> numbers;
    collect(value.value, numbers);
    for (uint32_t i = 0; i < scalars; ++i)
      terms_.scalar(at_, {place->unknown, place->offset + i}) = numbers[i];
    if (eval::fits(terms_.model(), terms_.typeOf(place->unknown), *at_.find(place->unknown)) &&
        accept(place->unknown, target))
      return true;
    *at_.find(place->unknown) = before;
    return false;
  }

  static void collect(const Value& value, std::vector<Rational>& numbers) {
    if (value.parts.empty())
      numbers.push_back(value.number);
    for (const Value& part : value.parts)
      collect(part, numbers);
  }

  bool moveScalar(ExprId atom, Place place, ExprId target) {
    Rational& scalar = terms_.scalar(at_, place);
    const Rational before = scalar;
    const Interval range = intervalOf(terms_.model(), terms_.typeOf(place));
    for (const Rational& candidate : candidates(atom, place, before)) {
      if (isSpent())
        break;
      if (candidate == before || !range.contains(candidate))
        continue;
      scalar = candidate;
      if (accept(place.unknown, target))
        return true;
    }
    scalar = before;
    return false;
  }

  std::vector<Rational> candidates(ExprId atom, Place place, const Rational& now) {
    const ir::TypeId type = terms_.typeOf(place);
    const TypeKind kind = terms_.types()[type].kind;
    if (kind == TypeKind::Bool)
      return {Rational(1) - now};
    if (kind == TypeKind::Enum)
      return {now + Rational(1), now - Rational(1), Rational(0), *intervalOf(terms_.model(), type).last};
    const Rational one = 1;
    auto root = rootOf(atom, place, now);
    if (!root)
      return {now + one, now - one};
    const bool isWhole = root->isInteger();
    if (kind != TypeKind::Real)
      root = root->floor();
    std::vector<Rational> result;
    const int direction = *root < now ? -1 : 1;
    if (pool_.op(atom) != Op::Equal && isShared(place.unknown))
      result.push_back(*root + Rational(direction * kSlack));
    if (isWhole || kind == TypeKind::Real || direction < 0)
      result.push_back(*root);
    result.push_back(*root + Rational(direction));
    if (*root == now)
      result.push_back(*root - one);
    return result;
  }

  /// Whether several conditions speak of the unknown.
  bool isShared(uint32_t unknown) {
    size_t count = 0;
    for (ExprId condition : conditions_)
      count += mentions(condition, unknown);
    return count > 1;
  }

  bool mentions(ExprId condition, uint32_t unknown) {
    const auto& mentioned = terms_.unknownsOf(condition);
    return std::binary_search(mentioned.begin(), mentioned.end(), unknown);
  }

  /// Where both sides of a comparison meet when the scalar moves, if their difference is linear in it.
  std::optional<Rational> rootOf(ExprId atom, Place place, const Rational& now) {
    const std::optional<Rational>& here = differenceHere(atom);
    if (!here)
      return std::nullopt;
    Rational& scalar = terms_.scalar(at_, place);
    scalar = now + Rational(1);
    const std::optional<Rational> beyond = difference(atom);
    scalar = now;
    if (!beyond || *beyond == *here)
      return std::nullopt;
    return now - *here / (*beyond - *here);
  }

  /// Left side minus right side of a comparison of numbers.
  std::optional<Rational> difference(ExprId atom) {
    const Op op = pool_.op(atom);
    if ((op != Op::Equal && op != Op::Less && op != Op::LessEqual) ||
        !terms_.types().isNumeric(pool_.type(pool_.operands(atom)[0])))
      return std::nullopt;
    ++evaluations_;
    eval::Result left = terms_.evaluate(pool_.operands(atom)[0], at_);
    eval::Result right = terms_.evaluate(pool_.operands(atom)[1], at_);
    if (!left.ok() || !right.ok())
      return std::nullopt;
    return left.value.number - right.value.number;
  }

  const std::optional<Rational>& differenceHere(ExprId atom) {
    if (!isDifferenceKnown_) {
      difference_ = difference(atom);
      isDifferenceKnown_ = true;
    }
    return difference_;
  }

  /// Keeps the change of `unknown` that was made if it mends `target` and breaks nothing that held; remembers it if it
  /// breaks less than others.
  bool accept(uint32_t unknown, ExprId target) {
    if (!holds(target))
      return false;
    Change change{unknown, {}, {}};
    const size_t most = best_ ? best_->broken.size() : kMostBroken + 1;
    for (ExprId condition : conditions_) {
      if (condition == target || !mentions(condition, unknown) || isFailing(condition) || holds(condition))
        continue;
      change.broken.push_back(condition);
      if (change.broken.size() >= most || !canBeMended(condition, unknown))
        return false;
    }
    if (change.broken.empty()) {
      keep(change, target);
      return true;
    }
    if (!hasMoved(unknown)) {
      change.value = *at_.find(unknown);
      best_ = std::move(change);
    }
    return false;
  }

  /// Whether there is another unknown to change than the one that broke it, and those that have their place already.
  /// That each unknown breaks others once ends the search.
  bool canBeMended(ExprId condition, uint32_t by) {
    const auto& mentioned = terms_.unknownsOf(condition);
    return std::any_of(mentioned.begin(), mentioned.end(),
                       [&](uint32_t unknown) { return unknown != by && !hasMoved(unknown); });
  }

  bool hasMoved(uint32_t unknown) const { return std::find(moved_.begin(), moved_.end(), unknown) != moved_.end(); }

  bool isFailing(ExprId condition) const {
    return std::find(failing_.begin(), failing_.end(), condition) != failing_.end();
  }

  /// Keeps the books of a change that was made.
  void keep(const Change& change, ExprId target) {
    std::erase_if(failing_, [&](ExprId condition) {
      return condition == target || (mentions(condition, change.unknown) && holds(condition));
    });
    failing_.insert(failing_.end(), change.broken.begin(), change.broken.end());
    moved_.push_back(change.unknown);
  }

  Terms& terms_;
  const ir::ExprPool& pool_;
  std::span<const ExprId> conditions_;
  Assignment at_;
  std::vector<ExprId> failing_;
  std::optional<Change> best_;         // for the condition at hand
  std::optional<Rational> difference_; // of the comparison at hand, before any change
  bool isDifferenceKnown_ = false;
  std::vector<uint32_t> moved_;
  size_t evaluations_ = 0;
};

} // namespace

std::optional<Assignment> findNear(Terms& terms, std::span<const ExprId> conditions, std::vector<ExprId> failing,
                                   Assignment start) {
  return Neighbourhood(terms, conditions, std::move(failing), std::move(start)).search();
}

Reply WitnessLink::ask(const Query& query) {
  Assignment start = terms_.complete(query.conditions, query.hint);
  std::vector<ExprId> failing;
  for (ExprId condition : query.conditions)
    if (!terms_.holds(condition, start))
      failing.push_back(condition);
  if (failing.empty()) {
    ++counts_.witness;
    return Reply::sat(std::move(start));
  }
  auto changes = findNear(terms_, query.conditions, std::move(failing), start);
  if (!changes)
    return next_.ask(query);
  ++counts_.neighbour;
  start.merge(*changes);
  return Reply::sat(std::move(start));
}

} // namespace tioc::solver
