#include "frontend/format.hpp"

#include "frontend/lex.hpp"
#include "frontend/parse.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace tioc::frontend {

namespace {

constexpr size_t kWidth = 100;

bool isComment(const Token& token) {
  return token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment;
}


size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Works on the tokens alone: the layout follows from braces, semicolons and a few keywords.
class Formatter {
public:
  explicit Formatter(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  std::string run() {
    classify();
    while (next_ < tokens_.size()) {
      const Token& token = tokens_[next_];
      if (isComment(token)) {
        comment();
      } else if (token.text == "}") {
        blocks_.pop_back();
        beginLine(false);
        out_ += "}";
        ++next_;
        fresh_ = false;
      } else {
        statement();
      }
    }
    if (!out_.empty())
      out_ += "\n";
    return std::move(out_);
  }

private:
  size_t newlinesBefore(size_t index) const {
    if (index == 0)
      return 0;
    const char* begin = tokens_[index - 1].text.data() + tokens_[index - 1].text.size();
    return static_cast<size_t>(std::count(begin, tokens_[index].text.data(), '\n'));
  }

  /// Which `-` and `!` are prefix operators: those that do not follow a value.
  void classify() {
    prefix_.resize(tokens_.size());
    const Token* previous = nullptr;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (isComment(tokens_[i]))
        continue;
      bool afterValue = previous && (previous->kind == TokenKind::Identifier || previous->kind == TokenKind::Number ||
                                     previous->text == ")" || previous->text == "]" || previous->text == "true" || previous->text == "false");
      prefix_[i] = (tokens_[i].text == "-" || tokens_[i].text == "!") && !afterValue;
      previous = &tokens_[i];
    }
  }

  bool spaceBetween(size_t left, size_t right) const {
    const Token& a = tokens_[left];
    const Token& b = tokens_[right];
    if (a.text == "(" || a.text == "[" || a.text == "." || a.text == ".." || prefix_[left])
      return false;
    if (b.text == ";" || b.text == "," || b.text == ")" || b.text == "]" || b.text == "." || b.text == ".." || b.text == ":" || b.text == "?")
      return false;
    if (b.text == "!")
      return prefix_[right];
    if (b.text == "(")
      return !(a.kind == TokenKind::Identifier || a.text == "?" || a.text == "!" || a.text == "queue");
    if (b.text == "[")
      return !(a.kind == TokenKind::Identifier || a.text == ")" || a.text == "]" || a.text == "int" || a.text == "bool" || a.text == "real");
    return true;
  }

  void beginLine(bool blankAllowed) {
    if (out_.empty())
      return;
    out_ += "\n";
    if (blankAllowed && !fresh_ && newlinesBefore(next_) >= 2)
      out_ += "\n";
    out_.append(2 * blocks_.size(), ' ');
  }

  void comment() {
    const Token& token = tokens_[next_];
    bool trailing = next_ > 0 && newlinesBefore(next_) == 0;
    if (trailing)
      out_ += "  ";
    else
      beginLine(true);
    appendComment(token);
    ++next_;
    fresh_ = false;
  }

  void appendComment(const Token& token) {
    std::string_view text = token.text;
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
      text.remove_suffix(1);
    out_ += text;
  }

  bool isList() const { return !blocks_.empty() && blocks_.back(); }

  /// The token behind the end of the statement that begins at `begin`: its semicolon, the brace that opens its block or, in a list, its comma.
  size_t statementEnd(size_t begin) const {
    size_t depth = 0;
    for (size_t i = begin; i < tokens_.size(); ++i) {
      std::string_view text = tokens_[i].text;
      if (isComment(tokens_[i]))
        continue;
      if (text == "(" || text == "[")
        ++depth;
      else if (text == ")" || text == "]")
        depth -= depth > 0;
      if (depth > 0)
        continue;
      if (text == ";" || text == "{" || (isList() && text == ","))
        return i + 1;
      if (text == "}")
        return i;
    }
    return tokens_.size();
  }

  void statement() {
    size_t end = statementEnd(next_);
    bool opens = tokens_[end - 1].text == "{";
    if (opens && inlineBlock(end - 1))
      return;
    beginLine(true);
    size_t headEnd = opens ? end - 1 : end;
    bool list = tokens_[next_].text == "enum" || tokens_[next_].text == "record";
    layOut(next_, headEnd);
    if (opens) {
      bool room = tokens_[headEnd - 1].kind != TokenKind::LineComment;
      if (!room) {
        out_ += "\n";
        out_.append(2 * blocks_.size(), ' ');
      }
      out_ += room ? " {" : "{";
      blocks_.push_back(list);
    }
    next_ = end;
    fresh_ = opens;
  }

  /// A block that stands on one line of the source and fits into one line of the result.
  bool inlineBlock(size_t open) {
    size_t depth = 0;
    size_t close = open;
    for (; close < tokens_.size(); ++close) {
      if (isComment(tokens_[close]) || (close > open && newlinesBefore(close) > 0))
        return false;
      if (tokens_[close].text == "{")
        ++depth;
      else if (tokens_[close].text == "}" && --depth == 0)
        break;
    }
    if (close == tokens_.size())
      return false;
    for (size_t i = next_; i < open; ++i)
      if (isComment(tokens_[i]))
        return false;
    std::string text = joined(next_, close + 1);
    if (2 * blocks_.size() + columns(text) > kWidth)
      return false;
    beginLine(true);
    out_ += text;
    next_ = close + 1;
    fresh_ = false;
    return true;
  }

  std::string joined(size_t begin, size_t end) const {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      if (i > begin && spaceBetween(i - 1, i))
        text += ' ';
      text += tokens_[i].text;
    }
    return text;
  }

  /// One statement, cut where comments force a new line.
  void layOut(size_t begin, size_t end) {
    size_t chunk = begin;
    bool continued = false;
    size_t base = 2 * blocks_.size();
    auto flush = [&](size_t to) {
      if (to > chunk) {
        if (continued) {
          out_ += "\n";
          out_.append(base + 4, ' ');
        }
        fill(chunk, to, base + 4, continued ? base + 4 : base);
      }
      chunk = to;
    };
    for (size_t i = begin; i < end; ++i) {
      bool multiLine = tokens_[i].text.find('\n') != std::string_view::npos;
      if (tokens_[i].kind != TokenKind::LineComment && !(tokens_[i].kind == TokenKind::BlockComment && multiLine))
        continue;
      bool trailing = newlinesBefore(i) == 0 && i > begin;
      flush(i);
      if (trailing) {
        out_ += "  ";
      } else {
        out_ += "\n";
        out_.append(base + 4, ' ');
      }
      appendComment(tokens_[i]);
      chunk = i + 1;
      continued = true;
    }
    flush(end);
  }

  /// 1: before a clause; 2: at a connective or behind a comma; 0: no place for a new line. The place is before the token.
  int breakLevel(size_t index) const {
    static const std::set<std::string_view> kClauses = {"when", "do", "takes", "priority", "weight", "jitter", "->", "restart", "invariant"};
    const Token& token = tokens_[index];
    bool clause = kClauses.contains(token.text) && (token.kind == TokenKind::Keyword || token.text == "->");
    if (clause)
      return 1;
    if (token.text == "&&" || token.text == "||" || token.text == "=>" || token.text == "else" || tokens_[index - 1].text == ",")
      return 2;
    return 0;
  }

  /// Lines as full as the width allows, cut at clauses if that is enough and at connectives and commas where it is not.
  void fill(size_t begin, size_t end, size_t indent, size_t column) {
    if (column + columns(joined(begin, end)) <= kWidth) {
      out_ += joined(begin, end);
      return;
    }
    bool first = true;
    size_t segment = begin;
    auto emit = [&](size_t to) {
      std::string text = joined(segment, to);
      if (!first && column + 1 + columns(text) <= kWidth) {
        if (spaceBetween(segment - 1, segment))
          out_ += ' ', ++column;
      } else if (!first) {
        out_ += "\n";
        out_.append(indent, ' ');
        column = indent;
      }
      if (column + columns(text) <= kWidth) {
        out_ += text;
        column += columns(text);
      } else {
        column = fillSegment(segment, to, indent, column);
      }
      first = false;
      segment = to;
    };
    for (size_t i = begin + 1; i < end; ++i)
      if (breakLevel(i) == 1)
        emit(i);
    emit(end);
  }

  size_t fillSegment(size_t begin, size_t end, size_t indent, size_t column) {
    size_t piece = begin;
    bool first = true;
    auto emit = [&](size_t to) {
      std::string text = joined(piece, to);
      if (!first) {
        bool space = spaceBetween(piece - 1, piece);
        if (column + (space ? 1 : 0) + columns(text) <= kWidth) {
          if (space)
            out_ += ' ', ++column;
        } else {
          out_ += "\n";
          out_.append(indent + 2, ' ');
          column = indent + 2;
        }
      }
      out_ += text;
      column += columns(text);
      first = false;
      piece = to;
    };
    for (size_t i = begin + 1; i < end; ++i)
      if (breakLevel(i) == 2)
        emit(i);
    emit(end);
    return column;
  }

  std::vector<Token> tokens_;
  std::vector<bool> prefix_;
  std::vector<bool> blocks_; // open ones; true for the lists of enum and record
  size_t next_ = 0;
  bool fresh_ = true; // right behind an opening brace
  std::string out_;
};

} // namespace

std::optional<std::string> format(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  if (!parse(sources, file, diagnostics))
    return std::nullopt;
  std::optional<std::vector<Token>> tokens = tokenize(sources, file, diagnostics);
  if (!tokens)
    return std::nullopt;
  return Formatter(std::move(*tokens)).run();
}

} // namespace tioc::frontend
