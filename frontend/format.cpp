#include "frontend/format.hpp"

#include "frontend/lex.hpp"
#include "frontend/parse.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace tioc::frontend {

namespace {

constexpr size_t kWidth = 110;
/// Comments behind lines that follow each other stand in one column, if that moves none of them further than this.
constexpr size_t kMaxAlignment = 40;

bool isComment(const Token& token) {
  return token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment;
}

size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
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
        text() += "}";
        ++next_;
        fresh_ = false;
      } else {
        statement();
      }
    }
    return finish();
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
                                     previous->text == ")" || previous->text == "]" || previous->text == "true" ||
                                     previous->text == "false");
      prefix_[i] = (tokens_[i].text == "-" || tokens_[i].text == "!") && !afterValue;
      previous = &tokens_[i];
    }
  }

  bool spaceBetween(size_t left, size_t right) const {
    const Token& a = tokens_[left];
    const Token& b = tokens_[right];
    if (a.text == "(" || a.text == "[" || a.text == "." || a.text == ".." || prefix_[left])
      return false;
    if (b.text == ";" || b.text == "," || b.text == ")" || b.text == "]" || b.text == "." || b.text == ".." ||
        b.text == ":" || b.text == "?")
      return false;
    if (b.text == "!")
      return prefix_[right];
    if (b.text == "(")
      return !(a.kind == TokenKind::Identifier || a.text == "?" || a.text == "!" || a.text == "queue");
    if (b.text == "[")
      return !(a.kind == TokenKind::Identifier || a.text == ")" || a.text == "]" || a.text == "int" ||
               a.text == "bool" || a.text == "real");
    return true;
  }

  struct Line {
    std::string text;
    std::string comment;    // behind the text
    bool isComment = false; // nothing may follow on the line
  };

  std::string& text() { return lines_.back().text; }

  void newLine(size_t indent) { lines_.push_back({std::string(indent, ' '), "", false}); }

  void beginLine(bool blankAllowed) {
    if (blankAllowed && !fresh_ && !lines_.empty() && newlinesBefore(next_) >= 2)
      lines_.emplace_back();
    newLine(2 * blocks_.size());
  }

  void comment() {
    if (next_ > 0 && newlinesBefore(next_) == 0) {
      trail(tokens_[next_]);
    } else {
      beginLine(true);
      text() += trimmed(tokens_[next_]);
      lines_.back().isComment = true;
    }
    ++next_;
    fresh_ = false;
  }

  void trail(const Token& token) {
    std::string& place = lines_.back().comment;
    place += (place.empty() ? "" : " ") + trimmed(token);
  }

  static std::string trimmed(const Token& token) {
    std::string_view text = token.text;
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
      text.remove_suffix(1);
    return std::string(text);
  }

  std::string finish() {
    for (size_t i = 0; i < lines_.size();) {
      size_t end = i;
      size_t widest = 0;
      size_t narrowest = SIZE_MAX;
      while (end < lines_.size() && !lines_[end].comment.empty()) {
        widest = std::max(widest, columns(lines_[end].text));
        narrowest = std::min(narrowest, columns(lines_[end].text));
        ++end;
      }
      for (size_t j = i; j < end; ++j) {
        size_t width = columns(lines_[j].text);
        lines_[j].text.append(2 + (widest - narrowest <= kMaxAlignment ? widest - width : 0), ' ');
      }
      i = std::max(end, i + 1);
    }
    std::string result;
    for (const Line& line : lines_)
      result += line.text + line.comment + "\n";
    return result;
  }

  bool isList() const { return !blocks_.empty() && blocks_.back(); }

  /// The token behind the end of the statement that begins at `begin`: its semicolon, the brace that opens its block
  /// or, in a list, its comma.
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
      if (!lines_.back().comment.empty() || lines_.back().isComment)
        newLine(2 * blocks_.size());
      text() += text().find_first_not_of(' ') == std::string::npos ? "{" : " {";
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
    std::string content = joined(next_, close + 1);
    if (2 * blocks_.size() + columns(content) > kWidth)
      return false;
    beginLine(true);
    text() += content;
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
    size_t indent = 2 * blocks_.size() + 4;
    auto flush = [&](size_t to) {
      if (to > chunk) {
        if (chunk != begin)
          newLine(indent);
        fill(chunk, to, indent, 1);
      }
      chunk = to;
    };
    for (size_t i = begin; i < end; ++i) {
      bool multiLine = tokens_[i].text.find('\n') != std::string_view::npos;
      if (tokens_[i].kind != TokenKind::LineComment && !(tokens_[i].kind == TokenKind::BlockComment && multiLine))
        continue;
      flush(i);
      if (newlinesBefore(i) == 0 && i > begin) {
        trail(tokens_[i]);
      } else {
        newLine(indent);
        text() += trimmed(tokens_[i]);
        lines_.back().isComment = true;
      }
      chunk = i + 1;
    }
    flush(end);
  }

  /// Where a new line may begin, before the token: 1 at a clause, 2 at a connective or behind a comma or '=', 3 the
  /// same inside brackets.
  int breakLevel(size_t index, size_t depth) const {
    static const std::set<std::string_view> kClauses = {"when",   "do", "takes",   "priority", "weight",
                                                        "jitter", "->", "restart", "invariant"};
    const Token& token = tokens_[index];
    if (kClauses.contains(token.text) && (token.kind == TokenKind::Keyword || token.text == "->"))
      return 1;
    std::string_view before = tokens_[index - 1].text;
    if (token.text == "&&" || token.text == "||" || token.text == "=>" || token.text == "else" || before == "," ||
        before == "=")
      return depth == 0 ? 2 : 3;
    return 0;
  }

  /// Lines as full as the width allows; what does not fit is cut at the coarsest places that help.
  void fill(size_t begin, size_t end, size_t indent, int level) {
    std::string whole = joined(begin, end);
    if (level > 3 || columns(text()) + columns(whole) <= kWidth) {
      text() += whole;
      return;
    }
    size_t piece = begin;
    auto emit = [&](size_t to) {
      std::string content = joined(piece, to);
      if (piece != begin) {
        size_t space = spaceBetween(piece - 1, piece) ? 1 : 0;
        if (columns(text()) + space + columns(content) <= kWidth)
          text().append(space, ' ');
        else
          newLine(indent);
      }
      fill(piece, to, indent + 2, level + 1);
      piece = to;
    };
    size_t depth = 0;
    for (size_t i = begin; i < end; ++i) {
      std::string_view token = tokens_[i].text;
      if (token == ")" || token == "]")
        depth -= depth > 0;
      if (i > begin && breakLevel(i, depth) == level)
        emit(i);
      if (token == "(" || token == "[")
        ++depth;
    }
    emit(end);
  }

  std::vector<Token> tokens_;
  std::vector<bool> prefix_;
  std::vector<bool> blocks_; // open ones; true for the lists of enum and record
  size_t next_ = 0;
  bool fresh_ = true; // right behind an opening brace
  std::vector<Line> lines_;
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
