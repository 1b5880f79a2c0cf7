#pragma once

#include "frontend/diagnostics.hpp"
#include "frontend/source.hpp"

#include <optional>
#include <vector>

namespace tioc::frontend {

enum class TokenKind : uint8_t { Keyword, Identifier, Number, Punctuation, LineComment, BlockComment };

/// A token as the formatter sees it, comments included.
struct Token {
  TokenKind kind;
  std::string_view text;
};

/// The words and signs of a file, or nothing if it holds something that is no token; that is reported.
std::optional<std::vector<Token>> tokenize(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

} // namespace tioc::frontend
