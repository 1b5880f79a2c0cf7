#pragma once

#include "ir/decide.hpp"
#include "runtime/explore/limits.hpp"

#include <string>
#include <vector>

namespace tioc::testgen {

/// How a purpose of a VDTA can be reached.
struct PurposePlan {
  ir::Decision reachable = ir::Decision::Unknown;
  std::vector<ir::EdgeId> edges; ///< Yes: a run of the product's message form (`ir::signals`) that ends in `accept`
  std::string why;               ///< Unknown: what stood in the way
};

/// Walks along the symbolic test case that backward reachability gives (E, section 3): in each state the inputs or the
/// delay that lead into a set nearer to `accept`. `product` is a result of `ir::product` for a VDTA.
PurposePlan planPurpose(const ir::Model& product, const explore::Limits& limits);

} // namespace tioc::testgen
