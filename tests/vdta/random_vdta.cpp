#include "vdta/random_vdta.hpp"

#include <random>
#include <vector>

namespace tioc::vdta {

namespace {

class Generator {
public:
  Generator(uint64_t seed, const RandomOptions& options) : engine_(seed), options_(options) {}

  std::string module() {
    clocks_ = options_.clocks == 0 ? 0 : 1 + below(options_.clocks);
    const unsigned locations = 2 + below(options_.locations - 1);
    std::string text = "module random;\nvdta V {\n  input a: bool, b: int[0..2];\n  output o: bool, p: int[0..3];\n";
    text += clockList();
    text += "  init L0 when !a && b == " + number(3) + " && !o && p == " + number(4) + ";\n";
    for (unsigned i = 0; i < locations; ++i)
      text += location("L" + std::to_string(i), locations, "L", true);
    text += "}\n";
    if (options_.purpose)
      text += purpose();
    return text;
  }

private:
  unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string number(unsigned count) { return std::to_string(below(count)); }

  std::string clockList() const { return clocks_ == 0 ? "" : clocks_ == 1 ? "  clock x;\n" : "  clock x, y;\n"; }

  std::string clock() { return clocks_ > 1 && chance(50) ? "y" : "x"; }

  std::string data() {
    static const std::vector<std::string> kPlain{"a", "!a", "o", "!o", "o == a", "o != a"};
    static const std::vector<std::string> kRelations{"==", "!=", "<", "<=", ">", ">="};
    switch (below(3)) {
    case 0:
      return kPlain[below(static_cast<unsigned>(kPlain.size()))];
    case 1:
      return "b " + kRelations[below(6)] + " " + number(3);
    default:
      return chance(25) ? "p " + kRelations[below(6)] + " b" : "p " + kRelations[below(6)] + " " + number(4);
    }
  }

  std::string time() {
    static const std::vector<std::string> kRelations{">=", ">=", ">=", "==", "<=", "<"};
    const std::string bound = std::to_string(below(options_.constant + 1));
    if (options_.differences && clocks_ > 1 && chance(15))
      return "x - y " + kRelations[below(6)] + " " + bound;
    return clock() + " " + kRelations[below(6)] + " " + bound;
  }

  std::string condition() {
    std::string text = clocks_ > 0 && chance(55) ? time() : data();
    for (unsigned i = below(3); i > 0; --i) {
      const std::string other = clocks_ > 0 && chance(35) ? time() : data();
      text = "(" + text + (chance(30) ? " || " : " && ") + other + ")";
    }
    return text;
  }

  std::string effects(bool outputs) {
    std::vector<std::string> parts;
    if (outputs && chance(50))
      parts.push_back(chance(50) ? "o := !o" : chance(50) ? "o := a" : "o := true");
    if (outputs && chance(50))
      parts.push_back(chance(40) ? "p := (p + 1) % 4" : chance(50) ? "p := b" : "p := " + number(4));
    if (outputs && clocks_ > 0 && chance(70))
      parts.push_back("x := 0");
    if (outputs && clocks_ > 1 && chance(40))
      parts.push_back(chance(85) ? "y := 0" : chance(50) ? "y := x" : "y := 1");
    if (!outputs && chance(50))
      parts.push_back("k := 0");
    std::string text;
    for (const std::string& part : parts)
      text += (text.empty() ? " do " : ", ") + part;
    return text;
  }

  std::string location(const std::string& name, unsigned count, const std::string& prefix, bool outputs) {
    std::string text = "  state " + name + " {\n";
    const unsigned edges = 1 + below(3);
    // Excluding each other without touching a clock guard: one value of b each.
    for (unsigned i = 0; i < edges; ++i) {
      std::string guard = condition();
      if (options_.deterministic)
        guard = "b == " + std::to_string(i) + " && " + guard;
      text += "    when " + guard + effects(outputs) + " -> " + prefix + number(count) + ";\n";
    }
    return text + "  }\n";
  }

  /// One edge per value of b leads on, so that it is deterministic.
  std::string purpose() {
    std::string text = "purpose P for V {\n  clock k;\n";
    const unsigned states = 1 + below(3);
    for (unsigned i = 0; i < states; ++i) {
      text += "  state S" + std::to_string(i) + " {\n";
      const std::string next = i + 1 == states ? "accept" : "S" + std::to_string(i + 1);
      const std::string own = chance(40) ? "k >= " + number(3) + " && " : "";
      text += "    when b == 0 && " + own + condition() + effects(false) + " -> " + next + ";\n";
      if (chance(60))
        text += "    when b == 1 && " + condition() + effects(false) + " -> " + next + ";\n";
      if (chance(40))
        text += "    when b == 2 && " + condition() + " -> reject;\n";
      text += "  }\n";
    }
    return text + "}\n";
  }

  std::mt19937_64 engine_;
  RandomOptions options_;
  unsigned clocks_ = 0;
};

} // namespace

std::string randomVdta(uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).module();
}

} // namespace tioc::vdta
