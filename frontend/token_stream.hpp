#pragma once

#include "frontend/diagnostics.hpp"

#include <antlr4-runtime.h>

#include <memory>
#include <vector>

// Private to the parser and the lexer: the only header of the frontend that shows ANTLR.
namespace tioc::frontend {

/// The tokens of one file with the byte places that ANTLR's character indices stand for. Words that are keywords in one
/// place only are already retagged.
class TokenStream {
public:
  /// Reports and returns null if the file is not text, nests too deeply or holds an unknown character.
  static std::unique_ptr<TokenStream> create(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

  /// All tokens, comments included, without the end of file.
  const std::vector<std::unique_ptr<antlr4::Token>>& tokens() const { return tokens_; }
  /// Hands out the tokens that the parser reads; comments are dropped.
  std::vector<std::unique_ptr<antlr4::Token>> takeTokens();

  Span span(const antlr4::Token* token) const;
  Span span(const antlr4::Token* first, const antlr4::Token* last) const;

private:
  uint32_t byteAt(size_t character) const;
  bool check(Diagnostics& diagnostics);
  void retag(const Sources& sources);

  uint32_t file_ = 0;
  uint32_t size_ = 0;
  std::vector<uint32_t> offsets_; // of each character, empty if all are one byte long
  std::unique_ptr<antlr4::ANTLRInputStream> input_;
  std::unique_ptr<antlr4::Lexer> lexer_;
  std::vector<std::unique_ptr<antlr4::Token>> tokens_;
};

} // namespace tioc::frontend
