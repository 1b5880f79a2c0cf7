#include "runtime/solver/z3.hpp"

#include "ir/print.hpp"
#include "runtime/solver/intervals.hpp"
#include "runtime/solver/watchdog.hpp"

#include <z3++.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <unordered_set>

namespace tioc::solver {

using eval::Value;
using ir::ExprId;
using ir::Op;
using ir::Rational;
using ir::TypeKind;

namespace {

// A context that has seen so many expressions is given up: what it holds is mostly of paths long left.
constexpr size_t kMostEncoded = 400'000;
// By measurement (bench/solver): bit-vectors up to these widths are faster where there are remainders, by powers of two
// or by other divisors. In everything else, and in wider ranges, integers are, often many times.
constexpr uint32_t kWidestForPowers = 24;
constexpr uint32_t kWidestForOthers = 16;
// What a context and a solver in it take before the first condition, with some to spare.
constexpr uint64_t kBytesOfContext = uint64_t{28} << 20;

/// The few reasons that callers tell apart by name, else Z3's words.
std::string reasonOf(const std::string& text) {
  if (text == "timeout" || text.find("canceled") != std::string::npos)
    return "timeout";
  if (text.find("memout") != std::string::npos || text.find("memory") != std::string::npos)
    return "memory";
  if (text.find("resource limit") != std::string::npos)
    return "resources";
  return text.empty() ? "unknown" : text;
}

/// The options, if there is memory for a context: where there is none, making one would crash.
const Options& withMemory(const Options& options) {
  const uint64_t limit = uint64_t{options.megabytes} << 20;
  if (limit != 0 && Z3_get_estimated_alloc_size() + kBytesOfContext > limit)
    throw z3::exception("memory");
  return options;
}

bool isLimit(const std::string& reason) {
  return reason == "timeout" || reason == "memory" || reason == "resources";
}

#include "runtime/solver/z3_algebras.inl"
#include "runtime/solver/z3_session.inl"

} // namespace

/// What decides whether a question is put in bit-vectors.
struct Width {
  uint32_t bits = 1;   ///< of the widest integer in any part; 0: one has no bounds, or there are reals
  uint32_t widest = 0; ///< up to which width bit-vectors are faster; 0: they are not

  void join(const Width& other) {
    bits = bits == 0 || other.bits == 0 ? 0 : std::max(bits, other.bits);
    widest = widest == 0 ? other.widest : other.widest == 0 ? widest : std::min(widest, other.widest);
  }
};

struct Z3::State {
  State(Terms& terms, const Options& options, Counts& counts)
      : terms(terms), options(options), counts(counts), algebra(terms), intervals(terms, algebra) {}

  Session& session(uint32_t width) {
    auto& slot = sessions[width];
    if (slot && slot->encoder().size() > kMostEncoded)
      slot.reset();
    if (!slot)
      slot = std::make_unique<Session>(terms, options, watchdog, width);
    else
      slot->watch();
    return *slot;
  }

  Terms& terms;
  const Options& options;
  Counts& counts;
  Watchdog watchdog;
  std::map<uint32_t, std::unique_ptr<Session>> sessions; // by width
  IntervalAlgebra algebra;
  Flattening<IntervalAlgebra> intervals;
  std::unordered_map<ExprId, Width> widths; // of conditions

  /// The width of the bit-vectors that a question is put in; 0: none.
  uint32_t chooseWidth(std::span<const ExprId> conditions) {
    if (options.bitvectors == Bitvectors::Off)
      return 0;
    Width width;
    for (ExprId condition : conditions)
      width.join(widthOf(condition));
    // Few widths, so that questions find what those before have left.
    const uint32_t rounded = (width.bits + 7) / 8 * 8;
    const uint32_t most = options.bitvectors == Bitvectors::On ? 64 : width.widest;
    return rounded <= most ? rounded : 0;
  }

  const Width& widthOf(ExprId condition) {
    auto [it, isNew] = widths.try_emplace(condition);
    if (isNew) {
      auto join = [&, it = it](ExprId id) { it->second.join(widthOfNode(id)); };
      terms.pool().visit(condition, join);
      terms.pool().visit(terms.defined(condition), join);
    }
    return it->second;
  }

  Width widthOfNode(ExprId id) {
    const ir::ExprPool& pool = terms.pool();
    const Op op = pool.op(id);
    Width width;
    if (op == Op::Remainder) {
      const Rational* divisor = pool.number(pool.operands(id)[1]);
      const int64_t number = divisor ? divisor->toInt64().value_or(0) : 0;
      width.widest = number > 0 && std::has_single_bit(uint64_t(number)) ? kWidestForPowers : kWidestForOthers;
    }
    if (op == Op::Element || op == Op::SetElement) // the index is compared with every position
      width.bits = static_cast<uint32_t>(std::bit_width(terms.types()[pool.type(pool.operands(id)[0])].size)) + 2;
    const auto& scalars = terms.scalarsOf(pool.type(id));
    const auto& parts = intervals(id);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (terms.types()[scalars[i]].kind == TypeKind::Real || !parts[i].isBounded())
        return {0, width.widest};
      for (const auto& end : {parts[i].first->toInt64(), parts[i].last->toInt64()}) {
        if (!end)
          return {0, width.widest};
        // One bit for the sign, and one to spare for the size of a divisor.
        width.bits = std::max(width.bits, static_cast<uint32_t>(std::bit_width(uint64_t(*end < 0 ? ~*end : *end))) + 2);
      }
    }
    return width;
  }
};

Z3::Z3(Terms& terms, const Options& options, Counts& counts) : state_(std::make_unique<State>(terms, options, counts)) {
  // Both are of the process. At the first Z3 gives up by itself, at the second it throws.
  const uint64_t soft = uint64_t{options.megabytes} << 20;
  z3::set_param("memory_high_watermark", soft <= UINT32_MAX ? std::to_string(soft).c_str() : "0");
  z3::set_param("memory_max_size", std::to_string(options.megabytes + options.megabytes / 4).c_str());
}

Z3::~Z3() = default;

/// Runs a question. If Z3 throws or is interrupted that becomes an Unknown, and the contexts are not used again.
Reply Z3::guarded(uint32_t milliseconds, const std::function<Reply()>& question) {
  const auto start = std::chrono::steady_clock::now();
  Reply reply;
  state_->watchdog.start(milliseconds);
  try {
    reply = question();
  } catch (const z3::exception& error) {
    reply = Reply::unknown(reasonOf(error.msg()));
    state_->sessions.clear();
  } catch (const std::bad_alloc&) {
    reply = Reply::unknown("memory");
    state_->sessions.clear();
  }
  if (state_->watchdog.stop()) {
    state_->sessions.clear();
    if (reply.answer == Answer::Unknown)
      reply.reason = "timeout";
  }
  state_->counts.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

namespace {

/// Lets nothing pass that the exact evaluator does not confirm.
Reply verified(Terms& terms, std::span<const ExprId> conditions, Reply reply, Counts& counts) {
  if (reply.answer != Answer::Sat)
    return reply;
  if (terms.isModel(conditions, reply.model)) {
    reply.reason.clear();
    return reply;
  }
  if (reply.reason.empty()) {
    ++counts.unverified;
    return Reply::unknown("the model of Z3 does not satisfy the conditions");
  }
  return Reply::unknown(reply.reason);
}

} // namespace

Reply Z3::check(std::span<const ExprId> conditions) {
  State& s = *state_;
  Reply reply = guarded(s.options.milliseconds, [&] {
    const uint32_t width = s.chooseWidth(conditions);
    s.counts.bitvectors += width != 0 ? 1 : 0;
    Session& session = s.session(width);
    if (s.options.reuse == Reuse::Fresh)
      return session.checkFresh(conditions);
    Reply reply = s.options.reuse == Reuse::Stack ? session.checkStacked(conditions) : session.checkAssumed(conditions);
    // Z3 knows more ways for questions that do not build on each other.
    if (reply.answer == Answer::Unknown && !isLimit(reply.reason))
      reply = session.checkFresh(conditions);
    return reply;
  });
  reply = verified(s.terms, conditions, std::move(reply), s.counts);
  ++(reply.answer == Answer::Sat     ? s.counts.z3Sat
     : reply.answer == Answer::Unsat ? s.counts.z3Unsat
                                     : s.counts.z3Unknown);
  return reply;
}

Reply Z3::checkAlone(std::span<const ExprId> conditions) {
  State& s = *state_;
  Reply reply = guarded(s.options.milliseconds,
                        [&] { return Session(s.terms, s.options, s.watchdog, 0).checkFresh(conditions); });
  return verified(s.terms, conditions, std::move(reply), s.counts);
}

Reply Z3::checkNone(std::span<const ExprId> all, std::span<const ExprId> some, std::span<const uint32_t> inner) {
  State& s = *state_;
  ++s.counts.quantified;
  Reply reply = guarded(s.options.milliseconds, [&] {
    Session session(s.terms, s.options, s.watchdog, 0);
    Encoder& encoder = session.encoder();
    std::vector<ExprId> both(all.begin(), all.end());
    both.insert(both.end(), some.begin(), some.end());
    std::vector<uint32_t> outer;
    z3::expr_vector facts(session.context), bound(session.context), body(session.context);
    for (uint32_t unknown : s.terms.unknownsOf(both)) {
      const bool isInner = std::find(inner.begin(), inner.end(), unknown) != inner.end();
      for (const z3::expr& limit : encoder.range(unknown))
        (isInner ? body : facts).push_back(limit);
      const auto count = static_cast<uint32_t>(s.terms.scalarsOf(s.terms.typeOf(unknown)).size());
      for (uint32_t offset = 0; isInner && offset < count; ++offset)
        bound.push_back(encoder.scalar({unknown, offset}));
      if (!isInner)
        outer.push_back(unknown);
    }
    for (ExprId condition : all)
      facts.push_back(encoder.condition(condition));
    for (ExprId condition : some)
      body.push_back(encoder.condition(condition));
    facts.push_back(bound.empty() ? !z3::mk_and(body) : !z3::exists(bound, z3::mk_and(body)));
    // The general solver is good at instances, qsat at linear arithmetic without any.
    auto ask = [&](z3::solver solver) {
      solver.set(session.limits());
      solver.add(facts);
      return session.reply(solver, solver.check(), outer);
    };
    Reply reply = ask(z3::tactic(session.context, "qsat").mk_solver());
    return reply.answer == Answer::Unknown ? ask(session.freshSolver()) : reply;
  });
  return verified(s.terms, all, std::move(reply), s.counts);
}

Z3::Infimum Z3::infimum(std::span<const ExprId> conditions, ExprId term) {
  State& s = *state_;
  Infimum result;
  Reply status = guarded(s.options.milliseconds, [&] {
    Session session(s.terms, s.options, s.watchdog, 0);
    Encoder& encoder = session.encoder();
    z3::optimize optimize(session.context);
    optimize.set(session.limits());
    std::vector<ExprId> both(conditions.begin(), conditions.end());
    both.push_back(term);
    for (uint32_t unknown : s.terms.unknownsOf(both))
      for (const z3::expr& bound : encoder.range(unknown))
        optimize.add(bound);
    for (ExprId condition : conditions)
      optimize.add(encoder.condition(condition));
    const auto handle = optimize.minimize(encoder.term(term));
    if (optimize.check() != z3::sat)
      return Reply::unknown(reasonOf(Z3_optimize_get_reason_unknown(session.context, optimize)));
    // infinity * [0] + [1] + epsilon * [2]
    const z3::expr_vector lower(session.context,
                                Z3_optimize_get_lower_as_vector(session.context, optimize, handle.h()));
    auto part = [&](int i) {
      return Rational::parse(Z3_get_numeral_string(session.context, lower[static_cast<unsigned>(i)]));
    };
    const auto infinity = part(0), value = part(1);
    if (!infinity || !value)
      return Reply::unknown("the optimum is not a rational number");
    result.kind = infinity->isZero() ? Infimum::Kind::Finite : Infimum::Kind::Unbounded;
    result.value = *value;
    return Reply::sat({});
  });
  result.reason = status.reason;
  return result;
}

std::string Z3::smtlib(std::span<const ExprId> conditions, const Reply& reply) {
  State& s = *state_;
  std::string text = std::string("(set-info :status ") + answerName(reply.answer) + ")\n";
  if (!reply.reason.empty())
    text += "; " + reply.reason + "\n";
  const Reply written = guarded(0, [&] {
    Session session(s.terms, s.options, s.watchdog, 0);
    Z3_set_ast_print_mode(session.context, Z3_PRINT_SMTLIB2_COMPLIANT);
    Encoder& encoder = session.encoder();
    for (uint32_t unknown : s.terms.unknownsOf(conditions)) {
      const auto count = static_cast<uint32_t>(s.terms.scalarsOf(s.terms.typeOf(unknown)).size());
      for (uint32_t offset = 0; offset < count; ++offset)
        text += encoder.scalar({unknown, offset}).decl().to_string() + "\n";
      for (const z3::expr& bound : encoder.range(unknown))
        text += "(assert " + bound.to_string() + ")\n";
    }
    for (ExprId condition : conditions) {
      if (s.terms.pool().treeSize(condition) < 1000)
        text += "; " + ir::printExpr(s.terms.model(), condition) + "\n";
      text += "(assert " + encoder.condition(condition).to_string() + ")\n";
    }
    return Reply::sat({});
  });
  if (written.answer != Answer::Sat)
    return text + "; not all conditions could be written: " + written.reason + "\n";
  return text + "(check-sat)\n";
}

Answer replay(const std::string& smtlib) {
  try {
    z3::context context;
    z3::solver solver(context);
    solver.from_string(smtlib.c_str());
    const z3::check_result result = solver.check();
    return result == z3::sat ? Answer::Sat : result == z3::unsat ? Answer::Unsat : Answer::Unknown;
  } catch (const z3::exception&) {
    return Answer::Unknown;
  }
}

} // namespace tioc::solver
