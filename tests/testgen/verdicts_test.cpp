#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/testgen/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::testgen {
namespace {

ir::TestSuite suiteFor(const std::string& file, const std::string& system, const std::string& purpose) {
  const ir::Model model = test::compileOk(test::readFile(test::sourceDir() + "/examples/" + file));
  ir::Model instance;
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == system)
      instance = ir::resolvePriorities(ir::instantiate(model, ir::SystemId(i)));
  GenerateOptions options;
  for (size_t i = 0; i < instance.automata.size(); ++i)
    if (instance.automata[i].name == purpose)
      options.purposes.emplace_back(i);
  options.limits.states = 5000;
  Generated made = generate(std::move(instance), options);
  EXPECT_EQ(made.suite.cases.size(), 1U);
  return std::move(made.suite);
}

/// How often each verdict comes in many runs in virtual time, by chance and at both ends of what the system may do.
struct Tally {
  size_t pass = 0, fail = 0, inconclusive = 0;
};

Tally against(const ir::TestSuite& suite, std::unique_ptr<execute::Machine> machine) {
  Tally tally;
  execute::ModelAdapter adapter(std::move(machine), {});
  for (int i = 0; i < 60; ++i) {
    const execute::Outcome outcome = execute::execute(suite, suite.cases[0], adapter, {});
    ++(outcome.verdict == ir::Verdict::Pass   ? tally.pass
       : outcome.verdict == ir::Verdict::Fail ? tally.fail
                                              : tally.inconclusive);
  }
  return tally;
}

// D, section 3.
TEST(Verdicts, ConformingAnswersPassAndEarlyOrMissingOnesFail) {
  const ir::TestSuite suite = suiteFor("spec1.tio", "Spec1", "Answer");
  for (const char* conforming : {"Spec1", "Impl1", "Impl2"}) {
    const Tally tally = against(suite, test::exampleMachine("spec1.tio", conforming));
    EXPECT_EQ(tally.pass, 60U) << conforming;
  }
  const Tally early = against(suite, test::exampleMachine("spec1.tio", "Impl3"));
  EXPECT_GT(early.fail, 0U);
  EXPECT_GT(early.pass, 0U);
  const Tally silent = against(suite, test::exampleMachine("spec1.tio", "Impl4"));
  EXPECT_EQ(silent.fail, 60U);
}

// B, figures 4 and 5.
TEST(Verdicts, CashOfTheAmountWithinTenPassesAndAnythingElseFails) {
  const ir::TestSuite suite = suiteFor("atm.tio", "Atm", "Success");
  const std::string text = test::readFile(test::sourceDir() + "/examples/atm.tio");
  const Tally correct = against(suite, test::exampleMachine("atm.tio", "Atm"));
  EXPECT_EQ(correct.fail, 0U);
  // The amount leaves the system its choice: the refusal is inconclusive, and only within 2.
  EXPECT_GT(correct.pass, 0U);
  EXPECT_GT(correct.inconclusive, 0U);
  EXPECT_NE(ir::print(suite).find("InsufficientFunds(amount) when amount =="), std::string::npos) << ir::print(suite);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string result = text;
    const size_t at = result.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? result : result.replace(at, from.size(), to);
  };
  // Late, and a wrong amount.
  EXPECT_GT(against(suite, test::machineOf(changed("t <= 10", "11 <= t && t <= 12"), "Atm")).fail, 0U);
  EXPECT_GT(against(suite, test::machineOf(changed("t <= 2", "3 <= t && t <= 4"), "Atm")).fail, 0U);
  EXPECT_GT(
      against(suite, test::machineOf(changed("DispenseCash!(requested)", "DispenseCash!(requested + 1)"), "Atm")).fail,
      0U);
}

} // namespace
} // namespace tioc::testgen
