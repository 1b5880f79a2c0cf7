#include "ir/test.hpp"

#include <algorithm>

namespace tioc::ir {

namespace {

/// Compares two models entity by entity. Expressions and types of the one are matched to those of the other as they are
/// met.
class Comparison {
public:
  Comparison(const Model& a, const Model& b) : a_(a), b_(b) {}

  bool run() {
    return a_.name == b_.name && a_.secondsPerUnit == b_.secondsPerUnit &&
           each(a_.enums, b_.enums, [](auto& x, auto& y) { return x.name == y.name && x.literals == y.literals; }) &&
           each(a_.records, b_.records,
                [&](auto& x, auto& y) { return x.name == y.name && members(x.fields, y.fields); }) &&
           each(a_.channels, b_.channels, [&](auto& x, auto& y) { return channel(x, y); }) &&
           each(a_.variables, b_.variables, [&](auto& x, auto& y) { return variable(x, y); }) &&
           each(a_.clocks, b_.clocks, [](auto& x, auto& y) { return x.name == y.name && x.owner == y.owner; }) &&
           each(a_.locations, b_.locations, [&](auto& x, auto& y) { return location(x, y); }) &&
           each(a_.edges, b_.edges, [&](auto& x, auto& y) { return edge(x, y); }) &&
           each(a_.groups, b_.groups, [&](auto& x, auto& y) { return group(x, y); }) &&
           each(a_.automata, b_.automata, [&](auto& x, auto& y) { return automaton(x, y); }) &&
           each(a_.systems, b_.systems, [&](auto& x, auto& y) { return system(x, y); }) &&
           each(a_.suites, b_.suites, [&](auto& x, auto& y) { return suite(x, y); });
  }

  bool run(const TestSuite& x, const TestSuite& y) {
    return run() && x.name == y.name && x.system == y.system && x.generator == y.generator &&
           x.tolerance == y.tolerance &&
           each(x.cases, y.cases, [&](const TestCase& c, const TestCase& d) { return testCase(c, d); }) &&
           each(x.uncovered, y.uncovered,
                [](auto& c, auto& d) { return c.first.what == d.first.what && c.second == d.second; });
  }

private:
  template <class T, class Same>
  static bool each(const std::vector<T>& x, const std::vector<T>& y, Same same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  }

  bool type(TypeId x, TypeId y) const {
    if (!x.valid() || !y.valid())
      return x == y;
    const Type& s = a_.types[x];
    const Type& t = b_.types[y];
    return s.kind == t.kind && s.range == t.range && s.enumeration == t.enumeration && s.record == t.record &&
           s.size == t.size && (s.kind != TypeKind::Array || type(s.element, t.element));
  }

  bool expr(ExprId root, ExprId other) {
    if (!root.valid() || !other.valid())
      return root.valid() == other.valid();
    std::vector<std::pair<ExprId, ExprId>> stack{{root, other}};
    while (!stack.empty()) {
      auto [x, y] = stack.back();
      stack.pop_back();
      if (auto [it, fresh] = matched_.emplace(x, y); !fresh) {
        if (it->second != y)
          return false;
        continue;
      }
      if (a_.exprs.op(x) != b_.exprs.op(y) || !type(a_.exprs.type(x), b_.exprs.type(y)))
        return false;
      if (a_.exprs.op(x) == Op::Number ? *a_.exprs.number(x) != *b_.exprs.number(y)
                                       : a_.exprs.payload(x) != b_.exprs.payload(y))
        return false;
      auto p = a_.exprs.operands(x);
      auto q = b_.exprs.operands(y);
      if (p.size() != q.size())
        return false;
      for (size_t i = 0; i < p.size(); ++i)
        stack.emplace_back(p[i], q[i]);
    }
    return true;
  }

  bool members(const std::vector<Member>& x, const std::vector<Member>& y) const {
    return each(x, y, [&](const Member& m, const Member& n) { return m.name == n.name && type(m.type, n.type); });
  }

  bool channel(const Channel& x, const Channel& y) const {
    return x.name == y.name && x.direction == y.direction && x.broadcast == y.broadcast && x.open == y.open &&
           members(x.parameters, y.parameters);
  }

  bool variable(const Variable& x, const Variable& y) {
    return x.name == y.name && type(x.type, y.type) && x.owner == y.owner && x.role == y.role &&
           expr(x.initial, y.initial);
  }

  bool guard(const Guard& x, const Guard& y) {
    return expr(x.data, y.data) && each(x.clocks, y.clocks, [&](const ClockConstraint& c, const ClockConstraint& d) {
             return c.left == d.left && c.right == d.right && c.strict == d.strict && expr(c.bound, d.bound);
           });
  }

  bool location(const Location& x, const Location& y) {
    return x.name == y.name && x.automaton == y.automaton && x.mark == y.mark && x.urgent == y.urgent &&
           x.committed == y.committed && guard(x.invariant, y.invariant);
  }

  bool edge(const Edge& x, const Edge& y) {
    return x.name == y.name && x.source == y.source && x.target == y.target && x.action == y.action &&
           x.channel == y.channel && members(x.parameters, y.parameters) && guard(x.guard, y.guard) &&
           each(x.updates, y.updates,
                [&](const Update& u, const Update& v) { return u.variable == v.variable && expr(u.value, v.value); }) &&
           each(x.resets, y.resets,
                [&](const Reset& r, const Reset& s) {
                  return r.clock == s.clock && r.source == s.source && expr(r.value, s.value);
                }) &&
           x.urgency == y.urgency && x.deadline.has_value() == y.deadline.has_value() &&
           (!x.deadline || guard(*x.deadline, *y.deadline)) && x.priority == y.priority && x.weight == y.weight &&
           expr(x.minDuration, y.minDuration) && expr(x.maxDuration, y.maxDuration) && expr(x.jitter, y.jitter) &&
           x.delayGroup == y.delayGroup && x.restarts == y.restarts;
  }

  bool group(const TimingGroup& x, const TimingGroup& y) {
    return x.name == y.name && x.implicit == y.implicit && x.automaton == y.automaton && x.clock == y.clock &&
           x.locations == y.locations && expr(x.timeout, y.timeout);
  }

  bool automaton(const Automaton& x, const Automaton& y) {
    return x.name == y.name && x.kind == y.kind && members(x.parameters, y.parameters) && x.deadlines == y.deadlines &&
           x.variables == y.variables && x.clocks == y.clocks && x.locations == y.locations && x.edges == y.edges &&
           x.groups == y.groups && x.initial == y.initial && expr(x.initialCondition, y.initialCondition) &&
           x.subject == y.subject;
  }

  bool system(const System& x, const System& y) {
    return x.name == y.name && x.composition == y.composition && x.implicit == y.implicit &&
           each(x.components, y.components, [&](const Component& c, const Component& d) {
             return c.name == d.name && c.automaton == d.automaton &&
                    each(c.arguments, d.arguments, [&](ExprId e, ExprId f) { return expr(e, f); });
           });
  }

  static bool suite(const Suite& x, const Suite& y) {
    return x.name == y.name && x.subject == y.subject && x.purposes == y.purposes && x.goals == y.goals &&
           x.timings == y.timings && x.data == y.data && x.random == y.random && x.length == y.length &&
           x.depth == y.depth && x.loops == y.loops && x.digital == y.digital && x.seed == y.seed &&
           x.tolerance == y.tolerance;
  }

  // ---- tests

  bool testCase(const TestCase& x, const TestCase& y) {
    return x.name == y.name && x.about == y.about &&
           each(x.variables, y.variables,
                [&](const TestVariable& v, const TestVariable& w) {
                  return v.name == w.name && type(v.type, w.type) && expr(v.initial, w.initial) &&
                         v.isSlack == w.isSlack;
                }) &&
           each(x.nodes, y.nodes, [&](const TestNode& m, const TestNode& n) {
             return m.index() == n.index() &&
                    std::visit([&](const auto& node) { return same(node, std::get<std::decay_t<decltype(node)>>(n)); },
                               m);
           });
  }

  bool exprs(const std::vector<ExprId>& x, const std::vector<ExprId>& y) {
    return each(x, y, [&](ExprId e, ExprId f) { return expr(e, f); });
  }

  static bool covers(const std::vector<Covered>& x, const std::vector<Covered>& y) {
    return each(x, y, [](const Covered& c, const Covered& d) { return c.what == d.what; });
  }

  bool same(const SendNode& x, const SendNode& y) {
    return x.channel == y.channel && exprs(x.arguments, y.arguments) && x.stamp == y.stamp &&
           covers(x.covers, y.covers) && x.next == y.next;
  }

  bool same(const AwaitNode& x, const AwaitNode& y) {
    return expr(x.until, y.until) && x.timeout == y.timeout && x.allows == y.allows &&
           each(x.branches, y.branches, [&](const AwaitBranch& b, const AwaitBranch& c) { return same(b, c); });
  }

  bool same(const AwaitBranch& x, const AwaitBranch& y) {
    return x.channel == y.channel && expr(x.guard, y.guard) && same(x.from, y.from) && same(x.to, y.to) &&
           each(x.updates, y.updates,
                [&](const Update& u, const Update& v) { return u.variable == v.variable && expr(u.value, v.value); }) &&
           x.stamp == y.stamp && covers(x.covers, y.covers) && x.next == y.next;
  }

  bool same(const TimeBound& x, const TimeBound& y) { return expr(x.time, y.time) && x.strict == y.strict; }
  static bool same(const VerdictNode& x, const VerdictNode& y) {
    return x.verdict == y.verdict && x.reason == y.reason;
  }

  const Model& a_;
  const Model& b_;
  std::unordered_map<ExprId, ExprId> matched_;
};

} // namespace

bool sameModel(const Model& a, const Model& b) {
  return Comparison(a, b).run();
}

bool sameSuite(const TestSuite& a, const TestSuite& b) {
  return Comparison(a.model, b.model).run(a, b);
}

} // namespace tioc::ir
