// Every code block of the documentation is what it says it is.

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace tioc {
namespace {

struct Snippet {
  std::string file;
  size_t line = 0;
  std::string language;
  std::string text;
};

std::vector<Snippet> snippets() {
  std::vector<Snippet> result;
  std::vector<std::string> files = test::filesBelow("docs", ".md");
  for (const char* more : {"README.md", "CONTRIBUTING.md"})
    files.emplace_back(more);
  for (const std::string& file : files) {
    std::istringstream lines(test::readFile(test::sourceDir() + "/" + file));
    bool open = false;
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.starts_with("```")) {
        if (!open)
          result.push_back({file, number, line.substr(3), ""});
        open = !open;
      } else if (open) {
        result.back().text += line + "\n";
      }
    }
  }
  return result;
}

TEST(Docs, ModelsCompile) {
  size_t models = 0;
  for (const Snippet& snippet : snippets()) {
    if (snippet.language != "tio")
      continue;
    ++models;
    test::Compiled compiled = test::compile(snippet.text);
    EXPECT_FALSE(compiled.diagnostics.hasErrors()) << snippet.file << ":" << snippet.line << "\n" << compiled.text();
  }
  EXPECT_GT(models, 10U);
}

TEST(Docs, ModelsThatMustFailHaveOneError) {
  for (const Snippet& snippet : snippets()) {
    if (snippet.language != "tio-error")
      continue;
    test::Compiled compiled = test::compile(snippet.text);
    EXPECT_EQ(compiled.diagnostics.errors(), 1U) << snippet.file << ":" << snippet.line << "\n" << compiled.text();
  }
}

TEST(Docs, EveryDiagnosticIsListed) {
  std::string reference = test::readFile(test::sourceDir() + "/docs/language.md");
  for (const frontend::KindInfo& kind : frontend::kinds())
    EXPECT_NE(reference.find("`" + std::string(kind.id) + "`"), std::string::npos) << kind.id;
}

TEST(Docs, EveryBlockSaysWhatItIs) {
  for (const Snippet& snippet : snippets())
    EXPECT_FALSE(snippet.language.empty()) << snippet.file << ":" << snippet.line;
}

/// Pages whose commands can be run one after the other, among the examples.
TEST(Docs, CommandsRun) {
  const test::TemporaryFolder folder;
  for (const std::string& file : test::filesBelow("examples", ".tio"))
    folder.write(file.substr(file.rfind('/') + 1), test::readFile(test::sourceDir() + "/" + file));
  folder.write("inputs.txt", "0.1 location?4 2.8 plan?5 1.8 param?2 1 calc?1\n");
  folder.write("outputs.txt", "0.2 plan!8 2.1 error!6 0.1 nCmd!3 4.3\n");
  const std::filesystem::path home = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  size_t commands = 0;
  for (const Snippet& snippet : snippets()) {
    if (snippet.language != "sh" || (snippet.file != "docs/digital.md" && snippet.file != "docs/offline.md"))
      continue;
    std::istringstream lines(snippet.text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line.substr(0, line.find('>')));
      std::vector<std::string> arguments;
      for (std::string word; words >> word;)
        arguments.push_back(word);
      ASSERT_EQ(arguments.at(0), "tioc") << line;
      arguments.erase(arguments.begin());
      const test::Outcome outcome = test::runTioc(arguments);
      // A command may report verdicts, but it must not complain.
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 10 || outcome.code == 11) << line << "\n" << outcome.err;
      ++commands;
    }
  }
  std::filesystem::current_path(home);
  EXPECT_GT(commands, 5U);
}

} // namespace
} // namespace tioc
