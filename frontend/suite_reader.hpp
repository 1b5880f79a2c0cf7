#pragma once

#include "ir/test.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tioc::frontend {

/// A suite that came from a file. Its spans name `places`: a span's `file` is the index of its place.
struct SuiteFile {
  ir::TestSuite suite;
  std::vector<std::string> places;

  std::string place(ir::Span span) const { return span.valid() ? places[span.file] : std::string(); }
};

struct SuiteReading {
  std::optional<SuiteFile> file; ///< passes `ir::verify`
  std::string error;             ///< why there is none, with the place in the text: `cases[3].nodes[0].next: …`
};

/// Reads JSON of the schema `tioc-suite/1`, see docs/suite.md. Members that the schema does not name are passed over.
SuiteReading readSuite(std::string_view json);

} // namespace tioc::frontend
