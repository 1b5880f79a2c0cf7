#include "runtime/solver/questions.hpp"

#include "runtime/solver/domains.hpp"

#include <random>

namespace tioc::solver {

using ir::ExprId;
using ir::Rational;
using ir::TypeKind;

namespace {

constexpr size_t kMostPlaces = 48; // of which each costs a question or two

/// A model that chance moves about: wishes about single scalars, each kept if it can be granted beside those before.
class Drift {
public:
  Drift(Chain& chain, std::span<const ExprId> conditions, uint64_t seed)
      : chain_(chain), terms_(chain.terms()), pool_(terms_.pool()), conditions_(terms_.conjuncts(conditions)),
        places_(placesOf(terms_.unknownsOf(conditions_))), random_(seed) {}

  Reply run(std::span<const Assignment> previous, const Assignment* hint) {
    Reply first = chain_.ask(conditions_, hint);
    if (first.answer != Answer::Sat)
      return first;
    model_ = std::move(first.model);
    const std::vector<uint32_t> unknowns = terms_.unknownsOf(conditions_);
    for (const Assignment& other : previous)
      wish(differsFrom(other, unknowns), model_);
    shuffle();
    for (size_t i = 0; i < std::min(places_.size(), kMostPlaces); ++i)
      move(places_[i]);
    return Reply::sat(std::move(model_));
  }

private:
  // Written out because the distributions of the standard library differ between implementations.
  uint64_t below(uint64_t count) { return random_() % count; }

  std::vector<Place> placesOf(const std::vector<uint32_t>& unknowns) {
    std::vector<Place> result;
    for (uint32_t unknown : unknowns)
      for (uint32_t offset = 0; offset < terms_.scalarsOf(terms_.typeOf(unknown)).size(); ++offset)
        result.push_back({unknown, offset});
    return result;
  }

  void shuffle() {
    for (size_t i = places_.size(); i > 1; --i)
      std::swap(places_[i - 1], places_[below(i)]);
  }

  ExprId differsFrom(const Assignment& other, const std::vector<uint32_t>& unknowns) {
    std::vector<ExprId> differences;
    for (uint32_t unknown : unknowns)
      if (const eval::Value* value = other.find(unknown)) {
        const ir::TypeId type = terms_.typeOf(unknown);
        differences.push_back(
            pool_.negation(pool_.equal(pool_.parameter(unknown, type), terms_.constant(type, *value))));
      }
    return differences.empty() ? pool_.boolean(true) : pool_.disjunction(differences);
  }

  bool wish(ExprId condition, const Assignment& hint) {
    conditions_.push_back(condition);
    Reply reply = chain_.ask(conditions_, &hint);
    if (reply.answer == Answer::Sat) {
      model_.merge(reply.model);
      return true;
    }
    conditions_.pop_back();
    return false;
  }

  /// A value for the place, and if that cannot be, a half of the line on one side of it.
  void move(Place place) {
    const ExprId scalar = terms_.exprOf(place);
    const ir::TypeId type = terms_.typeOf(place);
    const TypeKind kind = terms_.types()[type].kind;
    const Rational value = chooseFor(place, kind);
    Assignment hint = model_;
    terms_.scalar(hint, place) = value;
    const ExprId constant = terms_.constant(type, {value, {}});
    if (wish(pool_.equal(scalar, constant), hint) || kind == TypeKind::Bool || kind == TypeKind::Enum)
      return;
    const ExprId side = below(2) == 0 ? pool_.lessEqual(scalar, constant) : pool_.lessEqual(constant, scalar);
    wish(side, model_);
  }

  /// Evenly from what is left of the domain; without a bound, numbers of any size.
  Rational chooseFor(Place place, TypeKind kind) {
    Domains domains(terms_);
    for (ExprId condition : conditions_)
      domains.add(condition);
    const Interval range = domains.of(place).interval();
    const Rational denominator = kind == TypeKind::Real ? Rational(int64_t{1} << below(4)) : Rational(1);
    if (range.isBounded() && *range.first <= *range.last) {
      const Rational count = ((*range.last - *range.first) * denominator).floor() + Rational(1);
      const Rational chance(static_cast<int64_t>(random_() >> 2));
      return *range.first + ir::euclideanRemainder(chance, count) / denominator;
    }
    static constexpr int64_t kScales[] = {3, 20, 300, 70'000, int64_t{1} << 33};
    const int64_t scale = kScales[below(std::size(kScales))];
    const Rational distance = Rational(static_cast<int64_t>(below(static_cast<uint64_t>(scale)))) / denominator;
    if (range.first)
      return *range.first + distance;
    if (range.last)
      return *range.last - distance;
    return below(2) == 0 ? distance : -distance;
  }

  Chain& chain_;
  Terms& terms_;
  ir::ExprPool& pool_;
  std::vector<ExprId> conditions_;
  std::vector<Place> places_;
  std::mt19937_64 random_;
  Assignment model_;
};

} // namespace

Reply diverse(Chain& chain, std::span<const ExprId> conditions, uint64_t seed, std::span<const Assignment> previous,
              const Assignment* hint) {
  return Drift(chain, conditions, seed).run(previous, hint);
}

} // namespace tioc::solver
