#include "runtime/zones/print.hpp"

#include "runtime/zones/minimal.hpp"

#include <vector>

namespace tioc::zones {

namespace {

constexpr const char* conjunction = " && ";
constexpr const char* rangeError = "<out of range>";

/// `left - right ~ value` without mentioning the reference clock, turned so that the value is not negative where it can
/// be.
std::string constraintText(Clock left, Clock right, Bound bound, std::span<const std::string> names) {
  const std::string less = bound.isClosed() ? "<=" : "<";
  const std::string greater = bound.isClosed() ? ">=" : ">";
  if (right == 0)
    return names[left] + less + std::to_string(bound.value());
  if (left == 0)
    return names[right] + greater + std::to_string(-bound.value());
  if (bound.value() < 0)
    return names[right] + "-" + names[left] + greater + std::to_string(-bound.value());
  return names[left] + "-" + names[right] + less + std::to_string(bound.value());
}

std::string equalityText(Clock clock, Clock leader, int32_t distance, std::span<const std::string> names) {
  if (leader == 0)
    return names[clock] + "==" + std::to_string(distance);
  if (distance < 0)
    return names[leader] + "-" + names[clock] + "==" + std::to_string(-distance);
  return names[clock] + "-" + names[leader] + "==" + std::to_string(distance);
}

} // namespace

std::string toString(const Bound* canonical, Dim dim, std::span<const std::string> names) {
  std::string text;
  const auto conjoin = [&](const std::string& part) {
    if (!text.empty())
      text += conjunction;
    text += part;
  };
  std::vector<bool> fixed(dim, false);
  for (Clock i = 1; i < dim; ++i) {
    for (Clock j = 0; j < i && !fixed[i]; ++j) {
      const Bound above = canonical[size_t{i} * dim + j];
      if (!fixed[j] && add(above, canonical[size_t{j} * dim + i]) == Bound::zero()) {
        fixed[i] = true;
        conjoin(equalityText(i, j, above.value(), names));
      }
    }
  }
  std::vector<PackedConstraint> constraints(dbm::size(dim));
  constraints.resize(minimalForm(canonical, dim, constraints.data()));
  // The bounds between clocks at fixed distance are in the equalities already.
  for (const auto& [left, right, bound] : constraints)
    if (!fixed[left] && !fixed[right])
      conjoin(constraintText(left, right, bound, names));
  return text.empty() ? "true" : text;
}

std::string toString(const Zone& zone, std::span<const std::string> names) {
  if (zone.isOutOfRange())
    return rangeError;
  return zone.isEmpty() ? "false" : toString(zone.data(), zone.dim(), names);
}

std::string toString(const Federation& federation, std::span<const std::string> names) {
  if (federation.isOutOfRange())
    return rangeError;
  std::string text;
  for (size_t at = 0; at < federation.size(); ++at) {
    const std::string part = toString(federation[at], federation.dim(), names);
    const bool parenthesize = federation.size() > 1 && part.find(conjunction) != std::string::npos;
    text += text.empty() ? "" : " || ";
    text += parenthesize ? "(" + part + ")" : part;
  }
  return text.empty() ? "false" : text;
}

} // namespace tioc::zones
