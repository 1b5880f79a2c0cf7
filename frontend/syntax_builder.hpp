#pragma once

#include "frontend/syntax.hpp"
#include "frontend/token_stream.hpp"

#include <grammar/TioParser.h>

#include <optional>

namespace tioc::frontend {

/// Turns ANTLR's parse trees, item by item, into the syntax tree. Precondition: the trees hold no errors.
class SyntaxBuilder {
public:
  SyntaxBuilder(const Sources& sources, uint32_t file, const TokenStream& tokens, Diagnostics& diagnostics);

  void header(grammar::TioParser::HeaderContext* ctx);
  void item(grammar::TioParser::ItemContext* ctx);
  syntax::Module take() { return std::move(module_); }

private:
  using P = grammar::TioParser;

  Span span(antlr4::ParserRuleContext* ctx) const { return tokens_.span(ctx->getStart(), ctx->getStop()); }
  syntax::Name name(antlr4::Token* token) const;
  syntax::QualifiedName qualified(P::QualifiedNameContext* ctx) const;
  syntax::Type type(P::TypeContext* ctx);
  std::vector<syntax::Parameter> parameters(const std::vector<P::ParameterContext*>& list);
  void channels(P::ChannelDeclContext* ctx);
  void variables(const std::vector<P::VariableContext*>& list, syntax::VariableKind kind,
                 std::vector<syntax::Variable>& out);
  void members(const std::vector<P::MemberContext*>& list, syntax::Automaton& automaton);
  uint32_t state(P::StateDeclContext* ctx, syntax::Automaton& automaton);
  void group(P::GroupDeclContext* ctx, syntax::Automaton& automaton, std::optional<uint32_t> parent);
  syntax::Edge edge(P::EdgeContext* ctx);
  syntax::Trigger trigger(P::TriggerContext* ctx);
  syntax::Clause clause(P::ClauseContext* ctx);
  syntax::System system(P::SystemDeclContext* ctx);
  syntax::ExprRef bound(P::BoundContext* ctx);
  syntax::Suite suite(P::SuiteDeclContext* ctx);

  syntax::ExprRef expr(P::ExprContext* ctx);
  syntax::ExprRef primary(P::ExprContext* ctx);
  syntax::ExprRef push(syntax::ExprKind kind, Span at, std::string_view text,
                       const std::vector<syntax::ExprRef>& children, uint32_t extra = 0);

  const Sources& sources_;
  const TokenStream& tokens_;
  Diagnostics& diagnostics_;
  syntax::Module module_;
};

} // namespace tioc::frontend
