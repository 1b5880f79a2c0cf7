#include "testgen/digital_reference.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tioc::test {

namespace {

/// One region: by clock the whole part, and the place of the fraction in the order of all fractions (0: none).
struct Region {
  int location = 0;
  std::vector<int> whole;
  std::vector<int> rank;

  auto operator<=>(const Region&) const = default;

  void compact() {
    std::set<int> used(rank.begin(), rank.end());
    used.insert(0);
    for (int& r : rank)
      r = static_cast<int>(std::distance(used.begin(), used.find(r)));
  }
  Region later() const {
    Region result = *this;
    const int highest = *std::max_element(rank.begin(), rank.end());
    if (std::find(rank.begin(), rank.end(), 0) != rank.end()) {
      for (int& r : result.rank) // all fractions grow, and the whole ones get the smallest
        ++r;
    } else {
      for (size_t i = 0; i < rank.size(); ++i) // the largest fractions become whole
        if (rank[i] == highest) {
          result.rank[i] = 0;
          ++result.whole[i];
        }
    }
    result.compact();
    return result;
  }
};

bool holds(const std::vector<Plain::Bound>& guard, const Region& at) {
  return std::all_of(guard.begin(), guard.end(), [&](const Plain::Bound& bound) {
    const auto clock = static_cast<size_t>(bound.clock);
    // Twice the value, where any fraction counts as a half.
    const int value = 2 * at.whole[clock] + (at.rank[clock] ? 1 : 0);
    const int other = 2 * bound.value;
    return bound.relation == "<"    ? value < other
           : bound.relation == "<=" ? value <= other
           : bound.relation == "==" ? value == other
           : bound.relation == ">=" ? value >= other
                                    : value > other;
  });
}

using Set = std::set<Region>;

/// The number, or the largest there is if the true one is beyond.
uint64_t atMostAll(double roughly, uint64_t exactly) {
  return roughly > 1.8e19 ? UINT64_MAX : exactly;
}

class Reference {
public:
  Reference(const Plain& automaton, bool earlyStops) : automaton_(automaton), earlyStops_(earlyStops) {}

  uint64_t count(uint32_t depth) {
    Region start;
    start.whole.assign(static_cast<size_t>(automaton_.clocks) + 1, 0);
    start.rank = start.whole;
    return count({start}, depth);
  }

private:
  size_t tickClock() const { return static_cast<size_t>(automaton_.clocks); }
  bool ticks(const Region& at) const { return at.whole[tickClock()] == 1 && at.rank[tickClock()] == 0; }

  static Region step(const Plain::Edge& edge, Region at) {
    at.location = edge.to;
    for (int clock : edge.resets)
      at.whole[static_cast<size_t>(clock)] = at.rank[static_cast<size_t>(clock)] = 0;
    at.compact();
    return at;
  }
  bool mayWait(const Region& at) const {
    if (ticks(at))
      return false;
    const Region next = at.later();
    return std::none_of(automaton_.edges.begin(), automaton_.edges.end(), [&](const Plain::Edge& edge) {
      if (edge.from != at.location || !holds(edge.guard, at))
        return false;
      return edge.urgency == Plain::Urgency::Eager ||
             (edge.urgency == Plain::Urgency::Delayable && !holds(edge.guard, next));
    });
  }
  Set close(const Set& states, bool wait) const {
    Set result = states;
    std::vector<Region> open(states.begin(), states.end());
    while (!open.empty()) {
      const Region at = open.back();
      open.pop_back();
      std::vector<Region> next;
      if (wait && mayWait(at))
        next.push_back(at.later());
      for (const Plain::Edge& edge : automaton_.edges)
        if (edge.from == at.location && edge.action == Plain::Action::Internal && holds(edge.guard, at))
          next.push_back(step(edge, at));
      for (Region& region : next)
        if (result.insert(region).second)
          open.push_back(std::move(region));
    }
    return result;
  }
  std::map<int, Set> events(const Set& states, Plain::Action action) const {
    std::map<int, Set> result;
    for (const Region& at : states)
      for (const Plain::Edge& edge : automaton_.edges)
        if (edge.from == at.location && edge.action == action && !ticks(at) && holds(edge.guard, at))
          result[edge.channel].insert(step(edge, at));
    return result;
  }

  uint64_t count(const Set& states, uint32_t depth) {
    if (depth == 0)
      return 1;
    const auto known = counts_.find({states, depth});
    if (known != counts_.end())
      return known->second;
    const Set later = close(states, true);
    Set ticked;
    for (Region at : later)
      if (ticks(at)) {
        at.whole[tickClock()] = 0;
        at.compact();
        ticked.insert(std::move(at));
      }
    uint64_t product = ticked.empty() ? 1 : count(ticked, depth - 1);
    for (const auto& [channel, behind] : events(later, Plain::Action::Output))
      product = atMostAll(static_cast<double>(product) * static_cast<double>(count(behind, depth - 1)),
                          product * count(behind, depth - 1));
    uint64_t sum = atMostAll(static_cast<double>(product) + 1, product + (earlyStops_ ? 1 : 0));
    for (const auto& [channel, behind] : events(close(states, false), Plain::Action::Input)) {
      const uint64_t more = count(behind, depth - 1);
      sum = atMostAll(static_cast<double>(sum) + static_cast<double>(more), sum + more);
    }
    return counts_[{states, depth}] = sum;
  }

  const Plain& automaton_;
  bool earlyStops_;
  std::map<std::pair<Set, uint32_t>, uint64_t> counts_;
};

} // namespace

uint64_t countTrees(const Plain& automaton, uint32_t depth, bool earlyStops) {
  return Reference(automaton, earlyStops).count(depth);
}

std::string Plain::text() const {
  std::string text = "module plain;\ninput i0, i1;\noutput o0, o1, o2;\ntiosts A {\n  clock ";
  for (int i = 0; i < clocks; ++i)
    text += (i ? ", x" : "x") + std::to_string(i);
  text += ";\n  init L0;\n";
  for (int location = 0; location < locations; ++location) {
    text += "  state L" + std::to_string(location) + " {\n";
    for (const Edge& edge : edges) {
      if (edge.from != location)
        continue;
      text += edge.urgency == Urgency::Lazy        ? "    lazy "
              : edge.urgency == Urgency::Delayable ? "    delayable "
                                                   : "    eager ";
      text += edge.action == Action::Input    ? "i" + std::to_string(edge.channel) + "?"
              : edge.action == Action::Output ? "o" + std::to_string(edge.channel) + "!"
                                              : "tau";
      for (size_t i = 0; i < edge.guard.size(); ++i)
        text += (i ? " && x" : " when x") + std::to_string(edge.guard[i].clock) + " " + edge.guard[i].relation + " " +
                std::to_string(edge.guard[i].value);
      for (size_t i = 0; i < edge.resets.size(); ++i)
        text += (i ? ", x" : " do x") + std::to_string(edge.resets[i]) + " := 0";
      text += " -> L" + std::to_string(edge.to) + ";\n";
    }
    text += "  }\n";
  }
  return text + "}\n";
}

Plain randomPlain(std::mt19937_64& dice) {
  const auto below = [&](int count) { return static_cast<int>(dice() % static_cast<uint64_t>(count)); };
  Plain result;
  result.locations = 2 + below(3);
  result.clocks = 1 + below(2);
  const int count = 3 + below(5);
  for (int i = 0; i < count; ++i) {
    Plain::Edge edge{below(result.locations),
                     below(result.locations),
                     static_cast<Plain::Action>(below(3)),
                     -1,
                     {},
                     {},
                     static_cast<Plain::Urgency>(below(3))};
    if (edge.action == Plain::Action::Input) {
      edge.channel = below(2);
      edge.urgency = Plain::Urgency::Lazy;
    } else if (edge.action == Plain::Action::Output) {
      edge.channel = below(3);
    }
    for (int clock = 0; clock < result.clocks; ++clock) {
      if (below(2))
        edge.guard.push_back({clock, edge.urgency != Plain::Urgency::Eager && below(2) ? ">" : ">=", below(3)});
      if (below(2))
        edge.guard.push_back({clock, below(2) ? "<" : "<=", 1 + below(3)});
      if (below(2))
        edge.resets.push_back(clock);
    }
    result.edges.push_back(std::move(edge));
  }
  return result;
}

Plain plainLight() {
  using Action = Plain::Action;
  using Urgency = Plain::Urgency;
  enum Button { Ready, Touched, Twice };
  // The lamp is at level 0 to 2, or on its way to one.
  Plain result;
  result.clocks = 2;
  result.locations = 3 * 6;
  const auto at = [](int button, int lamp) { return button * 6 + lamp; };
  for (int lamp = 0; lamp < 6; ++lamp) {
    result.edges.push_back({at(Ready, lamp), at(Touched, lamp), Action::Input, 0, {}, {0}, Urgency::Lazy});
    result.edges.push_back({at(Touched, lamp), at(Twice, lamp), Action::Input, 0, {{0, "<", 1}}, {}, Urgency::Lazy});
    if (lamp < 3) {
      const int up = 3 + (lamp + 1) % 3, down = 3 + (lamp + 2) % 3;
      result.edges.push_back(
          {at(Touched, lamp), at(Ready, up), Action::Internal, -1, {{0, "==", 1}}, {1}, Urgency::Eager});
      result.edges.push_back({at(Twice, lamp), at(Ready, down), Action::Internal, -1, {}, {1}, Urgency::Eager});
    } else {
      for (int button : {Ready, Touched, Twice})
        result.edges.push_back({at(button, lamp),
                                at(button, lamp - 3),
                                Action::Output,
                                lamp - 3,
                                {{1, ">=", 1}, {1, "<=", 2}},
                                {},
                                Urgency::Delayable});
    }
  }
  return result;
}

} // namespace tioc::test
