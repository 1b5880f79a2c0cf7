#include "frontend/token_stream.hpp"

#include "frontend/lex.hpp"

#include <grammar/TioLexer.h>
#include <grammar/TioParser.h>

#include <algorithm>

namespace tioc::frontend {

using grammar::TioLexer;
using grammar::TioParser;

namespace {

/// Brackets, prefix operators and conditionals inside one another. Far more than people write, far less than the stack
/// bears.
constexpr size_t kMaxNesting = 256;

/// The length of a valid UTF-8 sequence at `at`, or 0.
size_t sequenceLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned char lead = byte(at);
  if (lead < 0x80)
    return 1;
  if (lead >= 0xC2 && lead <= 0xDF)
    return tail(at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    bool overlong = lead == 0xE0 && byte(at + 1) < 0xA0;
    bool surrogate = lead == 0xED && byte(at + 1) > 0x9F;
    return tail(at + 1) && tail(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    bool overlong = lead == 0xF0 && byte(at + 1) < 0x90;
    bool tooLarge = lead == 0xF4 && byte(at + 1) > 0x8F;
    return tail(at + 1) && tail(at + 2) && tail(at + 3) && !overlong && !tooLarge ? 4 : 0;
  }
  return 0;
}

/// Passes over white space by hand: the general machinery would spend on it what it spends on a token.
class Lexer : public TioLexer {
public:
  using TioLexer::TioLexer;

  std::unique_ptr<antlr4::Token> nextToken() override {
    auto* simulator = getInterpreter<antlr4::atn::LexerATNSimulator>();
    for (size_t c = _input->LA(1); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = _input->LA(1))
      simulator->consume(_input);
    return TioLexer::nextToken();
  }
};

bool isComment(size_t type) {
  return type == TioLexer::LINE_COMMENT || type == TioLexer::BLOCK_COMMENT;
}

} // namespace

std::unique_ptr<TokenStream> TokenStream::create(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  auto stream = std::make_unique<TokenStream>();
  const std::string& text = sources[file].text;
  stream->file_ = file;
  stream->size_ = static_cast<uint32_t>(text.size());
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < text.size();) {
    size_t length = sequenceLength(text, i);
    if (length == 0) {
      auto at = static_cast<uint32_t>(i);
      diagnostics.report(Kind::InvalidUtf8, {file, at, at + 1});
      return nullptr;
    }
    offsets.push_back(static_cast<uint32_t>(i));
    i += length;
  }
  if (offsets.size() != text.size())
    stream->offsets_ = std::move(offsets);
  stream->input_ = std::make_unique<antlr4::ANTLRInputStream>(text);
  // ANTLR drops a leading byte order mark, and its indices with it.
  if (!stream->offsets_.empty() && stream->input_->size() + 1 == stream->offsets_.size())
    stream->offsets_.erase(stream->offsets_.begin());
  auto lexer = std::make_unique<Lexer>(stream->input_.get());
  lexer->removeErrorListeners();
  stream->tokens_ = lexer->getAllTokens();
  stream->lexer_ = std::move(lexer);
  if (!stream->check(diagnostics))
    return nullptr;
  stream->retag(sources);
  return stream;
}

uint32_t TokenStream::byteAt(size_t character) const {
  if (offsets_.empty())
    return static_cast<uint32_t>(std::min<size_t>(character, size_));
  return character < offsets_.size() ? offsets_[character] : size_;
}

Span TokenStream::span(const antlr4::Token* token) const {
  return span(token, token);
}

Span TokenStream::span(const antlr4::Token* first, const antlr4::Token* last) const {
  if (first->getType() == antlr4::Token::EOF)
    return {file_, size_, size_};
  uint32_t begin = byteAt(first->getStartIndex());
  uint32_t end = last->getType() == antlr4::Token::EOF ? size_ : byteAt(last->getStopIndex() + 1);
  return {file_, begin, std::max(begin, end)};
}

/// What the grammar cannot say well: unknown characters, comments without end, nesting that would exhaust the stack.
bool TokenStream::check(Diagnostics& diagnostics) {
  bool good = true;
  size_t brackets = 0;
  size_t prefixes = 0; // within the current statement
  size_t run = 0;      // of prefix operators
  for (size_t i = 0; i < tokens_.size(); ++i) {
    size_t type = tokens_[i]->getType();
    if (isComment(type))
      continue;
    if (type == TioLexer::UNKNOWN) {
      Span at = span(tokens_[i].get());
      std::string text = tokens_[i]->getText();
      // A run of them is one mistake.
      while (i + 1 < tokens_.size() && tokens_[i + 1]->getType() == TioLexer::UNKNOWN)
        ++i;
      diagnostics.report(
          Kind::UnknownCharacter, at,
          {text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x20 ? "control character" : "'" + text + "'"});
      good = false;
      continue;
    }
    if (type == TioLexer::SLASH && i + 1 < tokens_.size() && tokens_[i + 1]->getType() == TioLexer::STAR &&
        tokens_[i]->getStopIndex() + 1 == tokens_[i + 1]->getStartIndex()) {
      diagnostics.report(Kind::UnterminatedComment, span(tokens_[i].get(), tokens_[i + 1].get()));
      return false;
    }
    run = type == TioLexer::NOT || type == TioLexer::MINUS ? run + 1 : 0;
    if (type == TioLexer::LPAREN || type == TioLexer::LBRACKET || type == TioLexer::LBRACE)
      ++brackets;
    else if (type == TioLexer::RPAREN || type == TioLexer::RBRACKET || type == TioLexer::RBRACE)
      brackets -= brackets > 0;
    else if (type == TioLexer::IF || type == TioLexer::IMPLIES)
      ++prefixes;
    if (type == TioLexer::SEMICOLON || type == TioLexer::LBRACE || type == TioLexer::RBRACE)
      prefixes = 0;
    if (brackets + prefixes + run > kMaxNesting) {
      diagnostics.report(Kind::NestedTooDeeply, span(tokens_[i].get()), {std::to_string(kMaxNesting)});
      return false;
    }
  }
  return good;
}

/// Words that are keywords only beside certain neighbours.
void TokenStream::retag(const Sources& sources) {
  std::vector<antlr4::CommonToken*> words;
  for (const auto& token : tokens_)
    if (!isComment(token->getType()))
      words.push_back(static_cast<antlr4::CommonToken*>(token.get()));
  auto typeAt = [&](size_t i) { return i < words.size() ? words[i]->getType() : size_t(antlr4::Token::EOF); };
  auto clauseWord = [&](size_t i) {
    std::string_view text = sources.text(span(words[i]));
    return text == "priority" || text == "weight" || text == "jitter";
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i]->getType() != TioLexer::ID)
      continue;
    size_t length = words[i]->getStopIndex() - words[i]->getStartIndex() + 1;
    if (length < 2 || length > 8)
      continue;
    std::string_view text = sources.text(span(words[i]));
    size_t previous = i > 0 ? typeAt(i - 1) : size_t(antlr4::Token::EOF);
    size_t next = typeAt(i + 1);
    if (text == "on" && previous == TioLexer::RESTART)
      words[i]->setType(TioParser::ON);
    else if (text == "open" && (next == TioLexer::INPUT || next == TioLexer::OUTPUT || next == TioLexer::INOUT ||
                                next == TioLexer::INTERNAL || next == TioLexer::BROADCAST))
      words[i]->setType(TioParser::OPEN);
    else if (text == "queue" && previous == TioLexer::EQUALS && next == TioLexer::LPAREN)
      words[i]->setType(TioParser::QUEUE);
    else if (next == TioLexer::NUMBER || next == TioLexer::TIME || (next == TioLexer::ID && !clauseWord(i + 1))) {
      // Two values in a row mean nothing in an expression.
      if (text == "priority")
        words[i]->setType(TioParser::PRIORITY);
      else if (text == "weight")
        words[i]->setType(TioParser::WEIGHT);
      else if (text == "jitter")
        words[i]->setType(TioParser::JITTER);
    }
  }
}

std::vector<std::unique_ptr<antlr4::Token>> TokenStream::takeTokens() {
  std::erase_if(tokens_, [](const auto& token) { return isComment(token->getType()); });
  // ANTLR takes no empty list.
  tokens_.push_back(std::make_unique<antlr4::CommonToken>(static_cast<size_t>(antlr4::Token::EOF)));
  return std::move(tokens_);
}

std::optional<std::vector<Token>> tokenize(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  std::unique_ptr<TokenStream> stream = TokenStream::create(sources, file, diagnostics);
  if (!stream)
    return std::nullopt;
  std::vector<Token> result;
  for (const auto& token : stream->tokens()) {
    size_t type = token->getType();
    TokenKind kind = TokenKind::Punctuation;
    if (type == TioLexer::LINE_COMMENT)
      kind = TokenKind::LineComment;
    else if (type == TioLexer::BLOCK_COMMENT)
      kind = TokenKind::BlockComment;
    else if (type == TioLexer::ID || type == TioLexer::UNDERSCORE)
      kind = TokenKind::Identifier;
    else if (type == TioLexer::NUMBER || type == TioLexer::TIME)
      kind = TokenKind::Number;
    else if (type < TioLexer::SEMICOLON || type > TioLexer::UNKNOWN)
      kind = TokenKind::Keyword;
    result.push_back({kind, sources.text(stream->span(token.get()))});
  }
  return result;
}

} // namespace tioc::frontend
