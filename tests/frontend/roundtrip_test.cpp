#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "support/support.hpp"

#include "driver/driver.hpp"

#include <gtest/gtest.h>

namespace tioc {
namespace {

using test::compileOk;
using test::readFile;
using test::sourceDir;

class Example : public testing::TestWithParam<std::string> {
protected:
  std::string text() const { return readFile(sourceDir() + "/" + GetParam()); }
};

TEST_P(Example, ChecksWithoutErrorsOrWarnings) {
  test::Compiled compiled = test::compile(text());
  EXPECT_EQ(compiled.text(), "");
  EXPECT_TRUE(compiled.model);
}

TEST_P(Example, ReadingThePrintedModelGivesTheSameModel) {
  ir::Model model = compileOk(text());
  ir::Model again = compileOk(ir::print(model));
  EXPECT_TRUE(ir::sameModel(model, again)) << ir::print(model) << "\n----\n" << ir::print(again);
  EXPECT_EQ(ir::print(model), ir::print(again));
}

TEST_P(Example, PrintedPassesCanBeReadBack) {
  ir::Model model = compileOk(text());
  for (size_t i = 0; i < model.systems.size(); ++i) {
    ir::Model network = ir::simplify(ir::scaleTime(ir::instantiate(model, ir::SystemId(i))));
    EXPECT_EQ(ir::verify(network), std::vector<std::string>());
    ir::Model again = compileOk(ir::print(network));
    EXPECT_EQ(ir::print(network), ir::print(again));
  }
}

TEST_P(Example, ProductsWithItsPurposesAreSound) {
  ir::Model model = compileOk(text());
  for (size_t i = 0; i < model.automata.size(); ++i) {
    if (model.automata[i].kind != ir::AutomatonKind::Purpose)
      continue;
    const ir::System& subject = model[model.automata[i].subject];
    if (subject.components.size() != 1 || !subject.components[0].arguments.empty())
      continue;
    ir::Model product = ir::product(model, subject.components[0].automaton, ir::AutomatonId(i));
    EXPECT_EQ(ir::verify(product), std::vector<std::string>());
    bool accepts = false;
    for (const ir::Location& location : product.locations)
      accepts |= location.mark == ir::Mark::Accept;
    EXPECT_TRUE(accepts) << model.automata[i].name;
    // A VDTA's product may hold an edge without a first instant, which another edge of the same place makes up for; the
    // language has no such edges.
    if (product.automata[0].kind != ir::AutomatonKind::Vdta) {
      EXPECT_NO_THROW(compileOk(ir::print(product))) << ir::print(product);
    }
  }
}

TEST_P(Example, IsFormattedAndStaysSo) {
  test::Outcome outcome = test::runTioc({"fmt", "-"}, text());
  EXPECT_EQ(outcome.code, driver::kSuccess) << outcome.err;
  EXPECT_EQ(outcome.out, text());
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : info.param)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Examples, Example, testing::ValuesIn(test::filesBelow("examples", ".tio")), testName);

TEST(SameModel, TellsDifferentModelsApart) {
  const std::string text = readFile(sourceDir() + "/examples/atm.tio");
  ir::Model model = compileOk(text);
  for (auto [from, to] : {std::pair{"t <= 10", "t <= 11"},
                          {"t <= 10", "t < 10"},
                          {"balance - requested", "balance + requested"},
                          {"-> Print;", "-> Idle;"}}) {
    std::string changed = text;
    size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string(from).size(), to);
    test::Compiled other = test::compile(changed);
    EXPECT_TRUE(!other.model || !ir::sameModel(model, *other.model)) << to;
  }
}

} // namespace
} // namespace tioc
