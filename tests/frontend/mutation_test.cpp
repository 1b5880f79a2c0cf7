// Broken inputs: whatever is done to a model, the compiler answers with a diagnostic or a model. TIOC_LONG=1 runs ten
// times as many.

#include "ir/verify.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <random>

namespace tioc {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> result;
  for (const char* folder : {"examples", "tests/files"})
    for (const std::string& path : test::filesBelow(folder, ".tio"))
      result.push_back(test::readFile(test::sourceDir() + "/" + path));
  return result;
}

/// Words, numbers and single signs with the space behind them.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> result;
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    auto word = [&](size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    if (word(i))
      while (word(i))
        ++i;
    else
      ++i;
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])))
      ++i;
    result.push_back(text.substr(begin, i - begin));
  }
  return result;
}

std::string mutate(const std::vector<std::string>& all, std::mt19937& random) {
  const std::string& text = all[random() % all.size()];
  std::vector<std::string> parts = pieces(text);
  size_t changes = 1 + random() % 4;
  for (size_t c = 0; c < changes && !parts.empty(); ++c) {
    size_t i = random() % parts.size();
    switch (random() % 7) {
    case 0: // dropped
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 1: // doubled
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i), parts[i]);
      break;
    case 2: // swapped
      std::swap(parts[i], parts[random() % parts.size()]);
      break;
    case 3: { // from another model
      std::vector<std::string> other = pieces(all[random() % all.size()]);
      if (!other.empty())
        parts[i] = other[random() % other.size()];
      break;
    }
    case 4: // random bytes
      for (size_t n = 1 + random() % 4; n-- > 0;)
        parts[i] += static_cast<char>(random() % 256);
      break;
    case 5: // numbers at the edges
      parts[i] =
          std::vector<std::string>{"0",  "9223372036854775807", "9223372036854775808", "0.000000000000000000001", "-1",
                                   "1ns"}[random() % 6] +
          " ";
      break;
    default: // the rest is gone
      parts.resize(i);
    }
  }
  std::string result;
  for (const std::string& part : parts)
    result += part;
  return result;
}

void mustAnswer(const std::string& text) {
  auto begin = std::chrono::steady_clock::now();
  test::Compiled compiled = test::compile(text);
  std::string shown = compiled.text();
  EXPECT_TRUE(compiled.model.has_value() != compiled.diagnostics.hasErrors()) << text;
  EXPECT_TRUE(!compiled.model || ir::verify(*compiled.model).empty()) << text;
  frontend::renderJson(compiled.diagnostics, compiled.sources);
  auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took, std::chrono::seconds(10)) << text.substr(0, 500);
}

TEST(Mutations, GiveADiagnosticOrAModel) {
  std::vector<std::string> all = corpus();
  std::mt19937 random(2024);
  int rounds = std::getenv("TIOC_LONG") ? 100000 : 10000;
  for (int i = 0; i < rounds; ++i)
    mustAnswer(mutate(all, random));
}

TEST(Mutations, FormattingNeverLosesTheModel) {
  std::vector<std::string> all = corpus();
  std::mt19937 random(77);
  for (int i = 0; i < 500; ++i) {
    std::string text = mutate(all, random);
    test::Outcome once = test::runTioc({"fmt", "-"}, text);
    if (once.code != 0)
      continue;
    test::Outcome twice = test::runTioc({"fmt", "-"}, once.out);
    EXPECT_EQ(once.out, twice.out) << text;
  }
}

std::string repeated(const std::string& part, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i)
    result += part;
  return result;
}

TEST(Nesting, OfTenThousandLevelsIsRefusedPolitely) {
  const size_t n = 10000;
  std::string open = "module m;\nconst c = ";
  for (const std::string& text :
       {open + repeated("(", n) + "1" + repeated(")", n) + ";", open + repeated("(", n), open + repeated("-", n) + "1;",
        open + repeated("!", n) + "true;", open + repeated("[", n) + "1" + repeated("]", n) + ";",
        open + repeated("if true then 1 else ", n) + "1;", open + "true" + repeated(" => true", n) + ";",
        open + repeated("f(", n) + repeated(")", n) + ";", open + "a" + repeated("[0]", n) + ";",
        open + "a" + repeated(".b", n) + ";", open + "1" + repeated(" / 1", n) + ";",
        open + "1" + repeated(" < 1", n) + ";", std::string("module m;\nests A { init S; ") + repeated("group G { ", n),
        repeated("}", n), "module m;\n" + repeated("tiosts A {", n)}) {
    test::Compiled compiled = test::compile(text);
    EXPECT_TRUE(compiled.diagnostics.hasErrors()) << text.substr(0, 60);
  }
}

TEST(Nesting, LongFlatExpressionsAreFine) {
  const size_t n = 20000;
  for (const std::string& text :
       {"module m;\nconst c = 1" + repeated(" + 1", n) + ";", "module m;\nconst c = 1" + repeated(" - 1", n) + ";",
        "module m;\nconst c = true" + repeated(" && true", n) + ";",
        "module m;\nconst c = 1" + repeated(" * 1", n) + ";"}) {
    test::Compiled compiled = test::compile(text);
    EXPECT_FALSE(compiled.diagnostics.hasErrors()) << compiled.text().substr(0, 300);
  }
}

TEST(Limits, FunctionsThatGrowWithoutBoundAreRefused) {
  std::string text = "module m;\nfun f0(x: int): int = x % 7 + x % 5;\n";
  for (int i = 1; i < 60; ++i)
    text += "fun f" + std::to_string(i) + "(x: int): int = f" + std::to_string(i - 1) + "(x + 1) * f" +
            std::to_string(i - 1) + "(x);\n";
  test::Compiled compiled = test::compile(text + "const c = f59(1);\n");
  EXPECT_TRUE(compiled.has(frontend::Kind::ExpressionTooLarge)) << compiled.text();
}

} // namespace
} // namespace tioc
