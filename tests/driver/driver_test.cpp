#include "support/support.hpp"

#include "driver/driver.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace tioc {
namespace {

using test::Outcome;
using test::runTioc;

TEST(CommandLine, TellsItsVersion) {
  Outcome outcome = runTioc({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("tioc ")) << outcome.out;
}

TEST(CommandLine, HelpShowsAModelThatCompiles) {
  Outcome outcome = runTioc({"--help"});
  EXPECT_EQ(outcome.code, 0);
  size_t begin = outcome.out.find("  module lamp;");
  size_t end = outcome.out.find("\n\n", begin);
  ASSERT_NE(begin, std::string::npos);
  test::Compiled compiled = test::compile(outcome.out.substr(begin, end - begin));
  EXPECT_EQ(compiled.text(), "");
}

TEST(CommandLine, EveryCommandHasHelpWithExamples) {
  for (const char* command : {"check", "fmt", "run", "sim", "test", "verdict"}) {
    Outcome outcome = runTioc({command, "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("Examples:"), std::string::npos) << command;
    EXPECT_NE(outcome.out.find("Exit codes:"), std::string::npos) << command;
  }
}

TEST(CommandLine, WrongUseExitsWithTwoAndSaysWhatToDo) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"chekc", "a.tio"},
                                             {"check"},
                                             {"check", "--nope", "a.tio"},
                                             {"check", "--diagnostics=xml", "-"},
                                             {"check", "-Wno-such-warning", "-"}}) {
    Outcome outcome = runTioc(arguments, "module m;\n");
    EXPECT_EQ(outcome.code, driver::kUsage);
    EXPECT_FALSE(outcome.err.empty());
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_NE(runTioc({"chekc", "a.tio"}).err.find("did you mean 'tioc check'?"), std::string::npos);
  EXPECT_NE(runTioc({"check", "-Wno-unused-variabel", "-"}, "module m;\n").err.find("did you mean 'unused-variable'?"),
            std::string::npos);
}

TEST(CommandLine, UnreadableFilesExitWithTwoAndTheRestIsStillChecked) {
  test::TemporaryFolder folder;
  folder.write("good.tio", "module good;\n");
  folder.write("bad.tio", "module bad; const c = d;\n");
  std::string dir = folder.path();
  Outcome outcome = runTioc({"check", dir + "/missing.tio", dir + "/good.tio", dir + "/bad.tio", dir});
  EXPECT_EQ(outcome.code, driver::kUsage);
  EXPECT_NE(outcome.err.find("missing.tio': no such file"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("it is a folder"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("nothing here is called 'd'"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("good.tio: ok"), std::string::npos) << outcome.out;
}

TEST(CommandLine, FindsImportsBesideTheFileAndInIncludeFolders) {
  test::TemporaryFolder folder;
  folder.write("main.tio",
               "module main;\nimport near;\nimport deep.far;\nconst c = a + b;\nconst d = c + near.a;\nconst e = d;\n");
  folder.write("near.tio", "module near;\nconst a = 1;\n");
  folder.write("lib/deep/far.tio", "module deep.far;\nconst b = 2;\n");
  EXPECT_EQ(runTioc({"check", folder.path() + "/main.tio"}).code, 1);
  EXPECT_EQ(runTioc({"check", "-I", folder.path() + "/lib", folder.path() + "/main.tio"}).code, 0);
}

TEST(CommandLine, PrintsTheModelOfStandardInput) {
  Outcome outcome =
      runTioc({"check", "--print-ir", "-"}, "module m;\ninput a;\ntiosts A { init S; state S { a? -> S; } }\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("module m;\n")) << outcome.out;
}

TEST(CommandLine, DrawsTheModel) {
  Outcome outcome = runTioc({"check", "--print-dot", test::sourceDir() + "/examples/atm.tio"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("digraph \"atm\" {")) << outcome.out;
}

TEST(CommandLine, NamesSystemsThatExist) {
  Outcome outcome = runTioc({"check", "--print-ir", "--system", "Ligth", test::sourceDir() + "/examples/light.tio"});
  EXPECT_EQ(outcome.code, driver::kUsage);
  EXPECT_NE(outcome.err.find("did you mean 'Light'?"), std::string::npos) << outcome.err;
}

} // namespace
} // namespace tioc
