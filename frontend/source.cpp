#include "frontend/source.hpp"

#include <algorithm>

namespace tioc::frontend {

uint32_t SourceFile::lineOf(uint32_t offset) const {
  auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  return static_cast<uint32_t>(after - lineStarts.begin() - 1);
}

Position SourceFile::position(uint32_t offset) const {
  uint32_t index = lineOf(offset);
  uint32_t column = 1;
  for (uint32_t i = lineStarts[index]; i < offset && i < text.size(); ++i)
    column += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80; // continuation bytes are not characters
  return {index + 1, column};
}

std::string_view SourceFile::line(uint32_t index) const {
  uint32_t begin = lineStarts[index];
  uint32_t end = index + 1 < lineStarts.size() ? lineStarts[index + 1] : static_cast<uint32_t>(text.size());
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r'))
    --end;
  return std::string_view(text).substr(begin, end - begin);
}

uint32_t Sources::add(std::string path, std::string text) {
  SourceFile& file = files_.emplace_back(SourceFile{std::move(path), std::move(text), {0}});
  for (uint32_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n')
      file.lineStarts.push_back(i + 1);
  return static_cast<uint32_t>(files_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  return std::string_view(files_[span.file].text).substr(span.begin, span.end - span.begin);
}

} // namespace tioc::frontend
