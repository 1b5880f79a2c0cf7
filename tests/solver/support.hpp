#pragma once

#include "runtime/solver/solver.hpp"
#include "runtime/solver/terms.hpp"

#include <functional>
#include <random>

namespace tioc::solver::test {

/// A model with types of every kind, and unknowns of them.
struct World {
  ir::Model model;
  Unknowns unknowns;
  ir::ExprPool& pool = model.exprs;
  ir::TypeId boolean = model.types.boolean();
  ir::TypeId integer = model.types.integer();
  ir::TypeId real = model.types.real();
  ir::TypeId kind;   ///< enum of three
  ir::TypeId digit;  ///< int[0..3]
  ir::TypeId pdu;    ///< record { kind, seq: int[0..3], value: int[-2..2] }
  ir::TypeId digits; ///< int[0..3][3]
  ir::TypeId pdus;   ///< pdu[2]
  Terms terms{model, unknowns};

  World();
  ir::TypeId range(int64_t first, int64_t last) { return model.types.ranged({first, last}); }
  ir::ExprId add(ir::TypeId type, const std::string& name) { return unknowns.leaf(pool, unknowns.add(type, name)); }
  ir::ExprId number(int64_t value) { return pool.integer(value); }
};

/// All links off: Z3 alone.
Options plain();

/// Rounds of a random test: `few` usually, `many` when TIOC_LONG is set.
size_t rounds(size_t few, size_t many);

/// Random expressions over the unknowns of a world, of all operators.
class Generator {
public:
  Generator(World& world, uint64_t seed) : world_(world), random_(seed) {}

  ir::ExprId boolean(int depth);
  ir::ExprId integer(int depth);
  ir::ExprId real(int depth);
  /// An expression of any of the types above.
  ir::ExprId any(ir::TypeId type, int depth);
  /// A value that keeps to the ranges, often at the edge of something.
  eval::Value value(ir::TypeId type);
  Assignment assignment();

  int64_t below(int64_t count) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(count)); }
  bool chance(int percent) { return below(100) < percent; }

  bool hasLargeNumbers = true; ///< up to and beyond the ends of 64 bits
  bool hasReals = true;
  bool hasNonlinear = true; ///< products and quotients of unknowns

private:
  ir::ExprId leaf(ir::TypeId type);
  ir::ExprId comparison(int depth);
  ir::ExprId composite(ir::TypeId type, int depth);
  ir::Rational number();

  World& world_;
  std::mt19937_64 random_;
};

/// Calls `fn` with every assignment to the unknowns `first` to before `last`, whose types must be finite.
void forAll(World& world, uint32_t first, uint32_t last, const std::function<void(const Assignment&)>& fn);

} // namespace tioc::solver::test
