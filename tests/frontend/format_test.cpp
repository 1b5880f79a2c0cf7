#include "ir/print.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tioc {
namespace {

std::string formatted(const std::string& text) {
  test::Outcome outcome = test::runTioc({"fmt", "-"}, text);
  EXPECT_EQ(outcome.code, 0) << outcome.err << text;
  return outcome.out;
}

TEST(Format, JoinsAndSplitsLines) {
  EXPECT_EQ(formatted("module\n m ;input a,b;output c;"), "module m;\ninput a, b;\noutput c;\n");
}

TEST(Format, KeepsABlockOnOneLineIfItStoodThere) {
  EXPECT_EQ(formatted("module m; tiosts A { init S; state S{} }"), "module m;\ntiosts A { init S; state S { } }\n");
  EXPECT_EQ(formatted("module m;\ntiosts A {\ninit S; state S{} }"),
            "module m;\ntiosts A {\n  init S;\n  state S { }\n}\n");
}

TEST(Format, AlignsCommentsOfFollowingLines) {
  EXPECT_EQ(formatted("module m;\nconst a = 1; // one\nconst bcd = 2;// two\n\nconst e = 3; // three\n"),
            "module m;\nconst a = 1;    // one\nconst bcd = 2;  // two\n\nconst e = 3;  // three\n");
}

TEST(Format, TellsPrefixFromInfix) {
  EXPECT_EQ(formatted("module m;const a=-1- -2*(3-4);const b= !true||false;"),
            "module m;\nconst a = -1 - -2 * (3 - 4);\nconst b = !true || false;\n");
}

/// White space of every kind between the tokens of an example must not change what comes out, and formatting twice
/// equals formatting once.
TEST(Format, DependsOnTokensOnly) {
  std::mt19937 random(5);
  for (const std::string& path : test::filesBelow("examples", ".tio")) {
    std::string text = test::readFile(test::sourceDir() + "/" + path);
    std::string model = ir::print(test::compileOk(text));
    for (int round = 0; round < 3; ++round) {
      std::string shaken;
      bool comment = false;
      for (size_t i = 0; i < text.size(); ++i) {
        comment |= text.compare(i, 2, "//") == 0;
        comment &= text[i] != '\n';
        shaken += text[i];
        if (!comment && text[i] == ' ' && random() % 8 == 0)
          shaken += random() % 2 ? "\n" : "   ";
      }
      std::string once = formatted(shaken);
      EXPECT_EQ(formatted(once), once) << path;
      EXPECT_EQ(ir::print(test::compileOk(once)), model) << path;
    }
  }
}

TEST(Format, KeepsEveryComment) {
  std::mt19937 random(9);
  std::string text = test::readFile(test::sourceDir() + "/examples/atm.tio");
  for (int round = 0; round < 200; ++round) {
    std::string commented;
    bool comment = false;
    int count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      comment |= text.compare(i, 2, "//") == 0;
      comment &= text[i] != '\n';
      if (!comment && text[i] == ' ' && random() % 40 == 0) {
        ++count;
        commented +=
            random() % 2 ? " // note" + std::to_string(count) + "\n" : " /* note" + std::to_string(count) + " */";
      }
      commented += text[i];
    }
    std::string once = formatted(commented);
    for (int i = 1; i <= count; ++i)
      EXPECT_NE(once.find("note" + std::to_string(i)), std::string::npos) << once;
    EXPECT_EQ(formatted(once), once) << commented;
  }
}

TEST(Format, WritesFilesOnlyWhenTheyChange) {
  test::TemporaryFolder folder;
  folder.write("a.tio", "module  a;\n");
  std::string path = folder.path() + "/a.tio";
  EXPECT_EQ(test::runTioc({"fmt", "--check", path}).code, 1);
  EXPECT_EQ(test::readFile(path), "module  a;\n");
  EXPECT_EQ(test::runTioc({"fmt", path}).out, path + ": formatted\n");
  EXPECT_EQ(test::readFile(path), "module a;\n");
  EXPECT_EQ(test::runTioc({"fmt", path}).out, "");
  EXPECT_EQ(test::runTioc({"fmt", "--check", path}).code, 0);
}

TEST(Format, LeavesABrokenFileAlone) {
  test::TemporaryFolder folder;
  folder.write("a.tio", "module  a; tiosts {\n");
  EXPECT_EQ(test::runTioc({"fmt", folder.path() + "/a.tio"}).code, 1);
  EXPECT_EQ(test::readFile(folder.path() + "/a.tio"), "module  a; tiosts {\n");
}

} // namespace
} // namespace tioc
