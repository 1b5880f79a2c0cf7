#pragma once

#include "ir/model.hpp"

#include <string>
#include <vector>

namespace tioc::solver {

/// The unknowns of a symbolic run: what its conditions speak of. Unknown `i` appears in expressions as
/// `pool.parameter(i, type)`, which is free after instantiation.
///
/// A declared range, also one inside a record or an array, need not be stated as a condition: whoever gives values to
/// an unknown keeps to it.
class Unknowns {
public:
  /// Returns the index of the new unknown. `name` is for people and need not be unique.
  uint32_t add(ir::TypeId type, std::string name);

  size_t size() const { return entries_.size(); }
  ir::TypeId type(uint32_t unknown) const { return entries_[unknown].type; }
  const std::string& name(uint32_t unknown) const { return entries_[unknown].name; }
  /// The unknown as an expression.
  ir::ExprId leaf(ir::ExprPool& pool, uint32_t unknown) const { return pool.parameter(unknown, type(unknown)); }

private:
  struct Entry {
    ir::TypeId type;
    std::string name;
  };

  std::vector<Entry> entries_;
};

} // namespace tioc::solver
