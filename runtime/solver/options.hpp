#pragma once

#include <cstdint>
#include <string>

namespace tioc::solver {

/// Whether bounded integers are given to Z3 as bit-vectors. Auto decides by what was measured; see docs/performance.md.
enum class Bitvectors : uint8_t { Off, On, Auto };

/// How consecutive questions to Z3 share work.
enum class Reuse : uint8_t {
  Fresh,      ///< not at all
  Stack,      ///< the common prefix stays asserted
  Assumption, ///< every condition is asserted once behind a literal of its own
};

/// Links can be switched off one by one; the answers stay the same up to which model is found.
struct Options {
  uint32_t milliseconds = 5000; ///< per question to Z3, from encoding to the model; 0: no limit
  uint32_t resources = 0; ///< Z3's `rlimit` per question, which unlike time is the same on every machine; 0: no limit
  uint32_t megabytes = 4096; ///< for all Z3 objects of the process together; 0: no limit
  bool folding = true;
  bool witness = true;
  bool cache = true;
  bool independence = true;
  bool crossCheck = false; ///< asks everything a second time, of Z3 alone, and stops the program on a contradiction
  std::string log;         ///< a directory for one SMT-LIB file per question that reaches Z3; empty: none
  Bitvectors bitvectors = Bitvectors::Auto;
  Reuse reuse = Reuse::Stack;
  uint32_t seed = 0; ///< Z3's own choices
};

/// Who answered. A question is counted where it was decided; one that was cut into slices counts once for the cut and
/// once for every slice.
struct Counts {
  uint64_t questions = 0;    ///< what the user of the solver asked
  uint64_t folding = 0;      ///< by constants and intervals
  uint64_t witness = 0;      ///< the hint was a model
  uint64_t neighbour = 0;    ///< a neighbour of the hint was
  uint64_t cache = 0;        ///< from earlier answers
  uint64_t independence = 0; ///< cut into slices
  uint64_t kept = 0;         ///< slices whose part of the hint held
  uint64_t z3Sat = 0;
  uint64_t z3Unsat = 0;
  uint64_t z3Unknown = 0;
  uint64_t bitvectors = 0; ///< questions to Z3 that were put in bit-vectors
  uint64_t quantified = 0; ///< questions with quantifiers
  uint64_t unverified = 0; ///< models of Z3 that the evaluator refused; must stay zero but for irrational numbers
  double seconds = 0;      ///< inside Z3, encoding included

  uint64_t z3() const { return z3Sat + z3Unsat + z3Unknown; }
};

} // namespace tioc::solver
