#pragma once

#include "ir/ids.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tioc::frontend {

using ir::Span;

/// Line and column count from 1; the column counts characters, not bytes.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

struct SourceFile {
  std::string path; ///< as shown to the user
  std::string text;
  std::vector<uint32_t> lineStarts;

  uint32_t lineOf(uint32_t offset) const; ///< from 0
  Position position(uint32_t offset) const;
  std::string_view line(uint32_t index) const; ///< without its end of line
};

/// The files of one compilation. Their texts stay where they are, so that views into them remain valid.
class Sources {
public:
  uint32_t add(std::string path, std::string text);
  const SourceFile& operator[](uint32_t file) const { return files_[file]; }
  size_t size() const { return files_.size(); }
  std::string_view text(Span span) const;

private:
  std::deque<SourceFile> files_;
};

} // namespace tioc::frontend
