#include "semantics/ests_models.hpp"

#include <algorithm>
#include <set>

namespace tioc::semantics {

std::string randomComposition(Random& random, const CompositionOptions& options) {
  std::string text = "module m;\ninput i(p: int[0..3]), j;\noutput o(v: int), q;\n" +
                     std::string(options.openSignals && random.chance(20) ? "open " : "") + "internal s(v: int), t;\n";
  const uint32_t automata = options.automata <= 1 ? 1 : 2 + random.below(options.automata - 1);
  std::string all;
  for (uint32_t a = 0; a < automata; ++a) {
    const std::string name = "A" + std::to_string(a);
    all += (a ? ", " : "") + name;
    const uint32_t states = 2 + random.below(3);
    const auto state = [&] { return "S" + std::to_string(random.below(states)); };
    const auto clauses = [&](bool sends = false) {
      std::string result;
      if (options.intervals && random.chance(25))
        result += random.of({" takes 1 .. 2", " takes 3 +- 1", " takes 0 .. n"});
      else if (random.chance(60))
        result += " takes " + random.of({"0", "1", "2", "3", "4", "5", "n", "n + 1"});
      if (sends && options.jitter && random.chance(30))
        result += " jitter 1";
      if (random.chance(40))
        result += " priority " + std::to_string(random.below(3));
      if (random.chance(10))
        result += " weight 3";
      return result + " -> ";
    };
    const auto guard = [&] {
      return random.of({"", "", " when n < 2", " when n >= 2", " when m == 1", " when m != 1 && n < 3"});
    };
    const auto effect = [&] {
      return random.of({"", " do n := n + 1", " do n := 0", " do m := 1 - m", " do m := n, n := m", " do n := n + m"});
    };
    text += "ests " + name + " {\n  var n: int[0..4] = " + std::to_string(random.below(3)) +
            ", m: int = " + std::to_string(random.below(2)) + ";\n  init S0;\n";
    std::vector<std::pair<std::string, std::string>> moves;
    for (uint32_t s = 0; s < states; ++s) {
      text += "  state S" + std::to_string(s) + " {\n";
      const uint32_t edges = 1 + random.below(3);
      bool after = false;
      for (uint32_t e = 0; e < edges; ++e) {
        bool sends = false;
        text += "    ";
        switch (random.below(10)) {
        case 0:
        case 1:
          text += random.chance(50) ? "i?(p)" + random.of({"", " when p > 1", " when p <= n"}) +
                                          random.of({"", " do n := p", " do m := p"})
                                    : "j?" + guard() + effect();
          break;
        case 2:
        case 3:
          text += random.chance(50) ? "s?(v)" + random.of({"", " when v > 0"}) + random.of({"", " do m := v"})
                                    : "t?" + guard() + effect();
          break;
        case 4:
        case 5:
          sends = true;
          text += random.of({"o!(n + 10)", "q!"}) + random.of({" when n < 2 do n := n + 1", " when n > 2 do n := 0"});
          break;
        case 6:
          sends = true;
          text += random.of({"s!(n)", "t!"}) + random.of({" when n < 3 do n := n + 1", " when n == 4 do n := 1"});
          break;
        case 7:
          text += random.chance(40) ? "tau" + guard() + effect() : "when n < 3 do n := n + 1";
          break;
        default:
          if (after) {
            text += "q! when n == 1 do n := 2";
          } else {
            text += "after " + random.of({"3", "7", "n", "n + 5", "2"}) + guard() + effect();
            after = true;
          }
        }
        const std::string target = state();
        moves.emplace_back("S" + std::to_string(s), target);
        text += clauses(sends) + target + ";\n";
      }
      text += "  }\n";
    }
    for (const char* group : {"G", "H"}) {
      if (!random.chance(group[0] == 'G' ? 50 : 20))
        continue;
      std::vector<std::string> members;
      for (uint32_t s = 0; s < states; ++s)
        if (random.chance(60))
          members.push_back("S" + std::to_string(s));
      if (members.empty())
        continue;
      std::string restarts;
      std::set<std::string> listed;
      for (const auto& [from, to] : moves)
        if (const std::string move = from + " -> " + to;
            random.chance(40) && listed.size() < 3 && std::find(members.begin(), members.end(), to) != members.end())
          if (listed.insert(move).second)
            restarts += (restarts.empty() ? " restart on " : ", ") + move;
      text += std::string("  group ") + group + (random.chance(40) ? restarts : "") + " {\n    states ";
      for (size_t i = 0; i < members.size(); ++i)
        text += (i ? ", " : "") + members[i];
      text +=
          ";\n    after " + random.of({"4", "9", "n + 1", "m"}) + guard() + effect() + clauses() + state() + ";\n  }\n";
    }
    text += "}\n";
  }
  return text + "system Net = queue(" + all + ");\n";
}

} // namespace tioc::semantics
