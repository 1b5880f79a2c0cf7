#pragma once

// The zone operations as a textbook has them: plain loops, and Floyd–Warshall after whatever may leave a bound that is
// not the tightest. The yardstick of the benchmark.

#include "runtime/zones/dbm.hpp"

namespace tioc::zones::textbook {

inline bool close(Bound* zone, Dim dim) {
  for (Dim k = 0; k < dim; ++k)
    for (Dim i = 0; i < dim; ++i)
      for (Dim j = 0; j < dim; ++j)
        if (const Bound sum = add(zone[i * dim + k], zone[k * dim + j]); sum < zone[i * dim + j])
          zone[i * dim + j] = sum;
  for (Dim i = 0; i < dim; ++i)
    if (zone[i * dim + i] < Bound::zero())
      return false;
  return true;
}

inline bool constrain(Bound* zone, Dim dim, Constraint constraint) {
  Bound& entry = zone[constraint.left * dim + constraint.right];
  if (!(constraint.bound < entry))
    return true;
  entry = constraint.bound;
  return close(zone, dim);
}

inline bool intersect(Bound* zone, const Bound* other, Dim dim) {
  for (Dim at = 0; at < dim * dim; ++at)
    if (other[at] < zone[at])
      zone[at] = other[at];
  return close(zone, dim);
}

inline void up(Bound* zone, Dim dim) {
  for (Dim i = 1; i < dim; ++i)
    zone[i * dim] = Bound::infinity();
}

inline void down(Bound* zone, Dim dim) {
  for (Dim j = 1; j < dim; ++j) {
    zone[j] = Bound::zero();
    for (Dim i = 1; i < dim; ++i)
      if (zone[i * dim + j] < zone[j])
        zone[j] = zone[i * dim + j];
  }
}

inline void reset(Bound* zone, Dim dim, Clock x, int32_t value) {
  for (Dim j = 0; j < dim; ++j) {
    zone[x * dim + j] = add(Bound::atMost(value), zone[j]);
    zone[j * dim + x] = add(zone[j * dim], Bound::atMost(-value));
  }
  zone[x * dim + x] = Bound::zero();
}

inline void copyClock(Bound* zone, Dim dim, Clock x, Clock y) {
  for (Dim j = 0; j < dim; ++j) {
    if (j == x)
      continue;
    zone[x * dim + j] = zone[y * dim + j];
    zone[j * dim + x] = zone[j * dim + y];
  }
  zone[x * dim + y] = zone[y * dim + x] = Bound::zero();
}

inline void free(Bound* zone, Dim dim, Clock x) {
  for (Dim j = 0; j < dim; ++j) {
    if (j == x)
      continue;
    zone[x * dim + j] = Bound::infinity();
    zone[j * dim + x] = zone[j * dim];
  }
}

inline bool isSubset(const Bound* a, const Bound* b, Dim dim) {
  for (Dim at = 0; at < dim * dim; ++at)
    if (b[at] < a[at])
      return false;
  return true;
}

inline Relation relation(const Bound* a, const Bound* b, Dim dim) {
  const bool below = isSubset(a, b, dim);
  const bool above = isSubset(b, a, dim);
  if (below)
    return above ? Relation::Equal : Relation::Subset;
  return above ? Relation::Superset : Relation::Different;
}

inline bool below(const int32_t constant, Bound lowerBound) {
  return constant == noBound || -lowerBound.value() > constant;
}

inline void extraM(Bound* zone, Dim dim, const int32_t* m) {
  for (Dim i = 0; i < dim; ++i) {
    for (Dim j = 0; j < dim; ++j) {
      Bound& entry = zone[i * dim + j];
      if (i == j || entry.isInfinite())
        continue;
      if (i != 0 && (m[i] == noBound || entry.value() > m[i]))
        entry = Bound::infinity();
      else if (j != 0 && below(m[j], entry))
        entry = m[j] != noBound ? Bound::below(-m[j]) : i == 0 ? Bound::zero() : Bound::infinity();
    }
  }
  close(zone, dim);
}

inline void extraLUPlus(Bound* zone, Dim dim, const int32_t* lower, const int32_t* upper) {
  for (Dim i = 1; i < dim; ++i) {
    for (Dim j = 0; j < dim; ++j) {
      Bound& entry = zone[i * dim + j];
      if (i == j || entry.isInfinite())
        continue;
      if (lower[i] == noBound || entry.value() > lower[i] || below(lower[i], zone[i]) ||
          (j != 0 && below(upper[j], zone[j])))
        entry = Bound::infinity();
    }
  }
  for (Dim j = 1; j < dim; ++j)
    if (below(upper[j], zone[j]))
      zone[j] = upper[j] == noBound ? Bound::zero() : Bound::below(-upper[j]);
  close(zone, dim);
}

/// a ⊆ aLU(b), the criterion pair by pair.
inline bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const int32_t* lower, const int32_t* upper) {
  for (Dim x = 0; x < dim; ++x) {
    if (x != 0 && (upper[x] == noBound || a[x] < Bound::atMost(-upper[x])))
      continue;
    for (Dim y = 0; y < dim; ++y) {
      if (lower[y] == noBound || !(b[y * dim + x] < a[y * dim + x]))
        continue;
      if (add(b[y * dim + x], Bound::below(-lower[y])) < a[x])
        return false;
    }
  }
  return true;
}

} // namespace tioc::zones::textbook
