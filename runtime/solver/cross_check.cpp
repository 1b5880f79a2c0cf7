#include "runtime/solver/cross_check.hpp"

#include "ir/print.hpp"

#include <cstdio>
#include <cstdlib>

namespace tioc::solver {

void stopOnContradiction(Terms& terms, std::span<const ir::ExprId> conditions, const std::string& what) {
  std::string text = "tioc: the solver contradicts itself: " + what + "\nconditions:\n";
  for (ir::ExprId condition : conditions)
    text += "  " + ir::printExpr(terms.model(), condition) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

Reply CrossCheckLink::ask(const Query& query) {
  Reply reply = next_.ask(query);
  if (reply.answer == Answer::Sat && !terms_.isModel(query.conditions, reply.model))
    stopOnContradiction(terms_, query.conditions, "the model of a link does not satisfy the conditions");
  const Reply second = plain_.checkAlone(query.conditions);
  const bool bothKnown = reply.answer != Answer::Unknown && second.answer != Answer::Unknown;
  if (bothKnown && reply.answer != second.answer)
    stopOnContradiction(terms_, query.conditions,
                        std::string("the chain says ") + answerName(reply.answer) + ", Z3 alone " +
                            answerName(second.answer));
  return reply;
}

} // namespace tioc::solver
