#include "runtime/solver/cross_check.hpp"

#include "ir/print.hpp"

#include <cstdio>
#include <cstdlib>

namespace tioc::solver {

namespace {

[[noreturn]] void stop(Terms& terms, const Query& query, const std::string& what) {
  std::string text = "tioc: the solver contradicts itself: " + what + "\nconditions:\n";
  for (ir::ExprId condition : query.conditions)
    text += "  " + ir::printExpr(terms.model(), condition) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

} // namespace

Reply CrossCheckLink::ask(const Query& query) {
  Reply reply = next_.ask(query);
  if (reply.answer == Answer::Sat && !terms_.isModel(query.conditions, reply.model))
    stop(terms_, query, "the model of a link does not satisfy the conditions");
  const Reply second = plain_.checkAlone(query.conditions);
  const bool bothKnown = reply.answer != Answer::Unknown && second.answer != Answer::Unknown;
  if (bothKnown && reply.answer != second.answer)
    stop(terms_, query,
         std::string("the chain says ") + answerName(reply.answer) + ", Z3 alone " + answerName(second.answer));
  return reply;
}

} // namespace tioc::solver
