// Every code block of the documentation is what it says it is.

#include "support/support.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace tioc
