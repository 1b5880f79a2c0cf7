#pragma once

#include "ir/test.hpp"

namespace tioc::testgen {

/// The automata of a system that is tested, purposes left out, with edges named as tests name what they cover.
std::vector<ir::Outline> outline(const ir::Model& model);

} // namespace tioc::testgen
