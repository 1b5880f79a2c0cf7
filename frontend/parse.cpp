#include "frontend/parse.hpp"

#include "frontend/syntax_builder.hpp"
#include "frontend/token_stream.hpp"

#include <grammar/TioParser.h>

#include <algorithm>
#include <array>

namespace tioc::frontend {

namespace {

using antlr4::Token;
using grammar::TioParser;

/// How a token type is called in a message.
std::string tokenName(const antlr4::dfa::Vocabulary& vocabulary, size_t type) {
  if (type == TioParser::ID)
    return "a name";
  if (type == TioParser::NUMBER)
    return "a number";
  if (type == TioParser::TIME)
    return "a time";
  if (type == Token::EOF)
    return "the end of the file";
  return vocabulary.getDisplayName(type);
}

bool startsItem(size_t type) {
  static constexpr std::array kTypes = {
      TioParser::IMPORT,   TioParser::TIMESCALE, TioParser::CONST,   TioParser::ENUM,   TioParser::RECORD,
      TioParser::TYPE,     TioParser::FUN,       TioParser::OPEN,    TioParser::INPUT,  TioParser::OUTPUT,
      TioParser::INOUT,    TioParser::INTERNAL,  TioParser::VAR,     TioParser::CLOCK,  TioParser::TIOSTS,
      TioParser::ESTS,     TioParser::VDTA,      TioParser::PURPOSE, TioParser::SYSTEM, TioParser::SUITE,
      TioParser::BROADCAST};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

bool startsMember(size_t type) {
  return type == TioParser::STATE || type == TioParser::URGENT || type == TioParser::COMMITTED ||
         type == TioParser::INIT || type == TioParser::GROUP || type == TioParser::DEADLINES ||
         type == TioParser::STATES;
}

/// Reports each mistake once, at the place where it was made, and resumes behind the statement that holds it.
class Recovery : public antlr4::DefaultErrorStrategy {
public:
  Recovery(const TokenStream& tokens, Diagnostics& diagnostics) : tokens_(tokens), diagnostics_(diagnostics) {}

  void recover(antlr4::Parser* parser, std::exception_ptr) override {
    antlr4::TokenStream* input = parser->getTokenStream();
    // Twice at one place: something must be consumed, or the caller's loop never ends.
    if (lastIndex_ == input->index() && lastRule_ == parser->getContext()->getRuleIndex() && input->LA(1) != Token::EOF)
      input->consume();
    lastIndex_ = input->index();
    lastRule_ = parser->getContext()->getRuleIndex();
    skip(input, isStatement(lastRule_));
    bool list = lastRule_ == TioParser::RuleEnumDecl || lastRule_ == TioParser::RuleRecordDecl;
    if (list && input->LA(1) == TioParser::RBRACE)
      input->consume();
  }

  /// In a block: skips a statement that cannot begin here. Elsewhere the next match finds the mistake.
  void sync(antlr4::Parser* parser) override {
    if (inErrorRecoveryMode(parser))
      return;
    size_t rule = parser->getContext()->getRuleIndex();
    if (!isBlock(rule))
      return;
    antlr4::TokenStream* input = parser->getTokenStream();
    auto state = parser->getInterpreter<antlr4::atn::ATNSimulator>()->atn.states[parser->getState()];
    size_t kind = state->getStateType();
    using antlr4::atn::ATNState;
    if (kind != ATNState::STAR_LOOP_ENTRY && kind != ATNState::STAR_LOOP_BACK)
      return;
    while (true) {
      size_t type = input->LA(1);
      if (type == TioParser::RBRACE || type == Token::EOF || startsItem(type) || startsMember(type) ||
          parser->getExpectedTokens().contains(type))
        return;
      unexpected(input->LT(1));
      beginErrorCondition(parser);
      size_t before = input->index();
      skip(input, true);
      if (input->index() == before)
        return;
      endErrorCondition(parser);
    }
  }

  /// A reserved word where a name belongs is reported and then taken as the name, so that the rest of the statement is
  /// read as it was meant.
  Token* recoverInline(antlr4::Parser* parser) override {
    Token* found = parser->getCurrentToken();
    Token* previous = parser->getTokenStream()->LT(-1);
    bool sameLine = previous && previous->getLine() == found->getLine();
    if (sameLine && !inErrorRecoveryMode(parser) && isReserved(found) &&
        wanted(parser, parser->getExpectedTokens()) == "a name") {
      diagnostics_.report(Kind::ReservedWord, tokens_.span(found), {found->getText()});
      failed_ = true;
      parser->consume();
      return found;
    }
    return antlr4::DefaultErrorStrategy::recoverInline(parser);
  }

  /// What closes or opens something is never taken for a stray word.
  Token* singleTokenDeletion(antlr4::Parser* parser) override {
    size_t type = parser->getTokenStream()->LA(1);
    if (type == TioParser::SEMICOLON || type == TioParser::LBRACE || type == TioParser::RBRACE)
      return nullptr;
    return antlr4::DefaultErrorStrategy::singleTokenDeletion(parser);
  }

  /// Only what closes or opens something is made up; anything else that is missing takes its statement with it.
  bool singleTokenInsertion(antlr4::Parser* parser) override {
    antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
    for (size_t type :
         {TioParser::SEMICOLON, TioParser::RBRACE, TioParser::RPAREN, TioParser::RBRACKET, TioParser::LBRACE})
      if (expected.contains(type))
        return antlr4::DefaultErrorStrategy::singleTokenInsertion(parser);
    return false;
  }

  void reportNoViableAlternative(antlr4::Parser* parser, const antlr4::NoViableAltException& e) override {
    mismatch(parser, e.getOffendingToken());
  }
  void reportInputMismatch(antlr4::Parser* parser, const antlr4::InputMismatchException& e) override {
    mismatch(parser, e.getOffendingToken());
  }
  void reportUnwantedToken(antlr4::Parser* parser) override {
    if (inErrorRecoveryMode(parser))
      return;
    beginErrorCondition(parser);
    mismatch(parser, parser->getCurrentToken());
  }
  void reportMissingToken(antlr4::Parser* parser) override {
    if (inErrorRecoveryMode(parser))
      return;
    beginErrorCondition(parser);
    mismatch(parser, parser->getCurrentToken());
  }

  void unexpected(Token* found) {
    diagnostics_.report(Kind::UnexpectedToken, tokens_.span(found), {display(found)});
    failed_ = true;
  }

  bool failed() const { return failed_; }

private:
  static bool isBlock(size_t rule) {
    return rule == TioParser::RuleAutomatonDecl || rule == TioParser::RulePurposeDecl ||
           rule == TioParser::RuleStateDecl || rule == TioParser::RuleGroupDecl || rule == TioParser::RuleSuiteDecl;
  }
  static bool isStatement(size_t rule) {
    switch (rule) {
    case TioParser::RuleEdge:
    case TioParser::RuleImportDecl:
    case TioParser::RuleTimescaleDecl:
    case TioParser::RuleConstDecl:
    case TioParser::RuleTypeDecl:
    case TioParser::RuleFunctionDecl:
    case TioParser::RuleChannelDecl:
    case TioParser::RuleVarDecl:
    case TioParser::RuleClockDecl:
    case TioParser::RuleSignalDecl:
    case TioParser::RuleInitDecl:
    case TioParser::RuleDeadlinesDecl:
    case TioParser::RuleGroupStates:
    case TioParser::RuleSystemDecl:
    case TioParser::RuleSetting:
    case TioParser::RuleHeader:
      return true;
    default:
      return false;
    }
  }

  /// Up to the end of the statement; with `through` its semicolon too. Blocks on the way are skipped whole.
  static void skip(antlr4::TokenStream* input, bool through) {
    size_t depth = 0;
    while (true) {
      size_t type = input->LA(1);
      if (type == Token::EOF)
        return;
      if (depth == 0 &&
          (type == TioParser::RBRACE || (startsItem(type) && type != TioParser::OUTPUT && type != TioParser::INPUT) ||
           startsMember(type)))
        return;
      if (depth == 0 && type == TioParser::SEMICOLON) {
        if (through)
          input->consume();
        return;
      }
      if (depth == 0 && type == TioParser::LBRACE && !through)
        return;
      if (type == TioParser::LBRACE)
        ++depth;
      else if (type == TioParser::RBRACE && --depth == 0) {
        input->consume();
        return;
      }
      input->consume();
    }
  }

  static bool isReserved(Token* token) {
    return token->getType() >= TioParser::MODULE && token->getType() < TioParser::SEMICOLON;
  }

  std::string display(Token* token) const {
    if (token->getType() == Token::EOF)
      return "the end of the file";
    std::string text = token->getText();
    return "'" + (text.size() > 40 ? text.substr(0, 37) + "…" : text) + "'";
  }

  /// What to ask for: the token that ends or continues the statement, rather than every operator that could follow as
  /// well.
  std::string wanted(antlr4::Parser* parser, const antlr4::misc::IntervalSet& expected) const {
    size_t rule = parser->getContext()->getRuleIndex();
    const auto& vocabulary = parser->getVocabulary();
    if (expected.contains(size_t(TioParser::LPAREN)) && expected.contains(size_t(TioParser::IF)) &&
        expected.contains(size_t(TioParser::ID)))
      return "an expression";
    if (expected.contains(size_t(TioParser::BOOL)) && expected.contains(size_t(TioParser::INT)))
      return "a type";
    if (rule == TioParser::RuleEdge || rule == TioParser::RuleClause || rule == TioParser::RuleTrigger)
      if (expected.contains(size_t(TioParser::ARROW)))
        return "'->' and the next state";
    for (size_t type : {TioParser::SEMICOLON, TioParser::ARROW, TioParser::RPAREN, TioParser::RBRACKET, TioParser::THEN,
                        TioParser::ELSE, TioParser::ASSIGN, TioParser::LBRACE, TioParser::RBRACE})
      if (expected.contains(type))
        return vocabulary.getDisplayName(type);
    std::vector<ssize_t> list = expected.toList();
    if (list.empty() || list.size() > 4)
      return "";
    std::string text;
    for (size_t i = 0; i < list.size(); ++i)
      text += (i == 0                 ? ""
               : i + 1 == list.size() ? " or "
                                      : ", ") +
              tokenName(vocabulary, static_cast<size_t>(list[i]));
    return text;
  }

  void mismatch(antlr4::Parser* parser, Token* found) {
    failed_ = true;
    antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
    std::string want = wanted(parser, expected);
    if (want.empty()) {
      diagnostics_.report(Kind::UnexpectedToken, tokens_.span(found), {display(found)});
      return;
    }
    // A forgotten end of a statement is a mistake of the line above, not of what follows.
    Token* previous = parser->getTokenStream()->LT(-1);
    bool closing = want == "';'" || want == "'}'" || want == "')'" || want == "']'" || want.starts_with("'->'");
    if (closing && previous && found->getLine() != previous->getLine()) {
      Span before = tokens_.span(previous);
      diagnostics_.report(Kind::ExpectedAfter, {before.file, before.end, before.end}, {want, display(previous)});
      return;
    }
    Diagnostic& d = diagnostics_.report(Kind::ExpectedToken, tokens_.span(found), {want, display(found)});
    if (found->getType() != TioParser::ID)
      return;
    std::vector<std::string> keywords;
    for (ssize_t type : expected.toList())
      if (type >= ssize_t(TioParser::MODULE) && type < ssize_t(TioParser::SEMICOLON)) {
        std::string name = parser->getVocabulary().getDisplayName(static_cast<size_t>(type));
        keywords.push_back(name.substr(1, name.size() - 2));
      }
    if (auto guess = didYouMean(found->getText(), keywords))
      d.note({}, "did you mean '" + *guess + "'?");
  }

  const TokenStream& tokens_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
  size_t lastIndex_ = SIZE_MAX;
  size_t lastRule_ = SIZE_MAX;
};

} // namespace

std::optional<syntax::Module> parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  std::unique_ptr<TokenStream> tokens = TokenStream::create(sources, file, diagnostics);
  if (!tokens)
    return std::nullopt;
  antlr4::ListTokenSource source(tokens->takeTokens());
  antlr4::CommonTokenStream input(&source);
  TioParser parser(&input);
  parser.removeErrorListeners();
  parser.setBuildParseTree(false);
  auto recovery = std::make_shared<Recovery>(*tokens, diagnostics);
  parser.setErrorHandler(recovery);
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);

  SyntaxBuilder builder(sources, file, *tokens, diagnostics);
  TioParser::HeaderContext* header = parser.header();
  if (!recovery->failed())
    builder.header(header);
  while (input.LA(1) != Token::EOF) {
    if (!startsItem(input.LA(1))) {
      recovery->unexpected(input.LT(1));
      while (input.LA(1) != Token::EOF && !startsItem(input.LA(1)))
        input.consume();
      continue;
    }
    TioParser::ItemContext* item = parser.item();
    if (!recovery->failed())
      builder.item(item);
    // The tree of the item has served; memory stays bounded by the largest item.
    parser.getTreeTracker().reset();
    parser.setContext(nullptr);
  }
  if (recovery->failed())
    return std::nullopt;
  return builder.take();
}

} // namespace tioc::frontend
