// Eight bounds at a time: what the parts of kernel.inl are written with. The vector types are the compiler's own; on a
// base architecture without them it splits them up. Part of kernel.inl.

#define TIOC_INLINE [[gnu::always_inline]] inline
#define TIOC_LAMBDA __attribute__((always_inline))

namespace tioc::zones::TIOC_KERNEL {

/// A zone as a plain array of codes. (Not &zone->raw: that is one code, not an array.)
TIOC_INLINE int32_t* codes(Bound* zone) {
  return reinterpret_cast<int32_t*>(zone);
}
TIOC_INLINE const int32_t* codes(const Bound* zone) {
  return reinterpret_cast<const int32_t*>(zone);
}

template <int width>
struct VectorOf {
  typedef int32_t Type __attribute__((vector_size(width * sizeof(int32_t))));
};
template <int width>
using Vector = typename VectorOf<width>::Type;

template <int width>
TIOC_INLINE void load(const int32_t* from, Vector<width>& to) {
  __builtin_memcpy(&to, from, sizeof to);
}
template <int width>
TIOC_INLINE void store(int32_t* to, const Vector<width>& from) {
  __builtin_memcpy(to, &from, sizeof from);
}
template <int width>
TIOC_INLINE void fill(int32_t value, Vector<width>& to) {
  to = value - Vector<width>{};
}

/// Whether any lane has a bit set.
template <int width>
TIOC_INLINE bool any(const Vector<width>& mask) {
#ifdef TIOC_KERNEL_VECTORS
  if constexpr (width == 8) {
    typedef long long Words __attribute__((vector_size(32)));
    return __builtin_ia32_ptestz256((Words)mask, (Words)mask) == 0;
  }
#endif
  using Word = std::conditional_t<width == 1, uint32_t, uint64_t>;
  Word words[sizeof mask / sizeof(Word)];
  __builtin_memcpy(words, &mask, sizeof mask);
  Word all = 0;
  for (const Word word : words)
    all |= word;
  return all != 0;
}

/// Bits that some |entry| (of a finite bound) has.
template <int width>
TIOC_INLINE void addMagnitude(const Vector<width>& entries, Vector<width>& bits) {
  const Vector<width> finite = entries != infinityRaw;
  bits |= (entries ^ (entries >> 31)) & finite;
}

/// The vector width for rows of `dim` entries; 1 where a row is shorter than the shortest vector.
constexpr int widthFor(Dim dim) {
  return dim >= 8 ? 8 : dim >= 4 ? 4 : 1;
}

/// All rows of a zone, or those of a list: what a pivot is applied to.
struct AllRows {
  Dim count;
  TIOC_INLINE Dim operator[](Dim at) const { return at; }
};
template <class Index>
struct ListedRows {
  const Index* rows;
  Dim count;
  TIOC_INLINE Dim operator[](Dim at) const { return rows[at]; }
};

/// entries := min(entries, first + through), where all lanes of `first` are the same. `first` and `through` need not be
/// exact where they are infinite: see docs/zones.md, "Closure".
template <int width>
TIOC_INLINE void relax(Vector<width>& entries, const Vector<width>& through, const Vector<width>& first) {
  const Vector<width> sum = (through & (first | ~1)) + (first & ~1);
  entries = sum < entries ? sum : entries;
}

/// Relaxes `chunks` vectors of each row, `width` apart from column `from` on, the last one at column `last` (it may
/// overlap the one before: entries are loaded before any is stored). The pivot stays in registers. `column` is where
/// rows enter the pivot.
template <int width, int chunks, class Rows>
TIOC_INLINE void relaxPanel(int32_t* zone, Dim dim, const int32_t* pivot, Dim column, Rows rows, Dim from, Dim last) {
  using V = Vector<width>;
  const auto place = [&](int c) TIOC_LAMBDA { return c == chunks - 1 ? last : from + static_cast<Dim>(c * width); };
  V through[chunks];
#pragma GCC unroll 4
  for (int c = 0; c < chunks; ++c)
    load<width>(pivot + place(c), through[c]);
  for (Dim r = 0; r < rows.count; ++r) {
    int32_t* const row = zone + size_t{rows[r]} * dim;
    V first;
    fill<width>(row[column], first);
    V entries[chunks];
#pragma GCC unroll 4
    for (int c = 0; c < chunks; ++c)
      load<width>(row + place(c), entries[c]);
#pragma GCC unroll 4
    for (int c = 0; c < chunks; ++c)
      relax<width>(entries[c], through[c], first);
#pragma GCC unroll 4
    for (int c = 0; c < chunks; ++c)
      store<width>(row + place(c), entries[c]);
  }
}

/// row[j] := min(row[j], row[column] + pivot[j]) for the given rows and all j. The pivot may be one of the rows.
template <Dim fixed, class Rows>
TIOC_INLINE void relaxRows(int32_t* zone, Dim runtimeDim, const int32_t* pivot, Dim column, Rows rows) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  constexpr Dim step = static_cast<Dim>(width);
  if constexpr (fixed != 0 && (fixed + step - 1) / step <= 4) {
    relaxPanel<width, static_cast<int>((fixed + step - 1) / step)>(zone, dim, pivot, column, rows, 0, fixed - step);
  } else {
    Dim from = 0;
    for (; from + 4 * step < dim; from += 4 * step)
      relaxPanel<width, 4>(zone, dim, pivot, column, rows, from, from + 3 * step);
    switch ((dim - from + step - 1) / step) {
    case 1:
      return relaxPanel<width, 1>(zone, dim, pivot, column, rows, from, dim - step);
    case 2:
      return relaxPanel<width, 2>(zone, dim, pivot, column, rows, from, dim - step);
    case 3:
      return relaxPanel<width, 3>(zone, dim, pivot, column, rows, from, dim - step);
    default:
      return relaxPanel<width, 4>(zone, dim, pivot, column, rows, from, dim - step);
    }
  }
}

/// Calls `body` with an offset for every vector of `width` that covers `count` entries, the last one overlapping.
/// Precondition: count >= width.
template <int width, class Body>
TIOC_INLINE void forVectors(size_t count, Body&& body) {
  size_t at = 0;
  for (; at + width <= count; at += width)
    body(at);
  if (at != count)
    body(count - width);
}

/// Vector width for the whole matrix. Precondition: dim >= 2.
constexpr int flatWidthFor(Dim dim) {
  return dim == 2 ? 4 : 8;
}

/// Sums of `dim` finite bounds of this many bits and a sign stay within the storable range.
constexpr int safeBits(Dim dim) {
  return 28 - std::bit_width(dim - 1);
}

/// Whether paths through the matrix may have sums that are not storable.
template <Dim fixed>
TIOC_INLINE bool needsWideSums(const int32_t* zone, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? flatWidthFor(fixed) : 8;
  Vector<width> bits{};
  forVectors<width>(size_t{dim} * dim, [&](size_t at) TIOC_LAMBDA {
    Vector<width> entries;
    load<width>(zone + at, entries);
    addMagnitude<width>(entries, bits);
  });
  return any<width>(bits >> safeBits(dim));
}

/// During closure an entry without bound may sink below `infinity`, but never to this; finite entries never reach it.
inline constexpr int32_t sunkInfinity = 1 << 29;

/// Gives entries without bound their code again.
template <int width>
TIOC_INLINE void restoreInfinity(int32_t* entriesAt, size_t count) {
  forVectors<width>(count, [&](size_t at) TIOC_LAMBDA {
    Vector<width> entries;
    load<width>(entriesAt + at, entries);
    Vector<width> infinite;
    fill<width>(infinityRaw, infinite);
    store<width>(entriesAt + at, entries > sunkInfinity ? infinite : entries);
  });
}

/// Calls `body` with the dimension as a compile-time constant where it is small or common, and with 0 otherwise.
template <class Body>
TIOC_INLINE auto withDimension(Dim dim, Body&& body) {
  switch (dim) {
  case 2:
    return body.template operator()<2>();
  case 3:
    return body.template operator()<3>();
  case 4:
    return body.template operator()<4>();
  case 5:
    return body.template operator()<5>();
  case 6:
    return body.template operator()<6>();
  case 7:
    return body.template operator()<7>();
  case 8:
    return body.template operator()<8>();
  case 16:
    return body.template operator()<16>();
  default:
    return body.template operator()<0>();
  }
}

} // namespace tioc::zones::TIOC_KERNEL
