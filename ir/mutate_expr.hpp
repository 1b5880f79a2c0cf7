#pragma once

#include "ir/model.hpp"
#include "ir/mutate.hpp"

#include <vector>

// Private to mutation: small changes of expressions.
namespace tioc::ir {

struct ExprVariant {
  Mutation mutation;
  ExprId expr;
};

/// Other conditions near a condition: conjuncts dropped and negated, relations, boundaries and operators changed.
std::vector<ExprVariant> conditionVariants(Model& model, ExprId condition);

/// Other terms near a term: operators and constants changed.
std::vector<ExprVariant> termVariants(Model& model, ExprId term);

/// Other values of the same type: one more and one less, the negation, the next literal; one part of a record changed.
std::vector<ExprId> valueVariants(Model& model, ExprId value);

/// The expression with every occurrence of `part` replaced.
ExprId replaced(ExprPool& pool, ExprId root, ExprId part, ExprId by);

} // namespace tioc::ir
