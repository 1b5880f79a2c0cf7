// The sessions in the documentation show what the program really says.

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace tioc {
namespace {

/// The words of a command line; only single quotes are known.
std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (char c : text) {
    if (c == '\'') {
      quoted = !quoted;
      if (!open)
        words.emplace_back();
      open = true;
    } else if (c == ' ' && !quoted) {
      open = false;
    } else {
      if (!open)
        words.emplace_back();
      open = true;
      words.back() += c;
    }
  }
  return words;
}

std::string run(std::vector<std::string> words) {
  std::string input;
  if (words[0] == "echo") {
    input = words[1] + "\n";
    words.erase(words.begin(), words.begin() + 3);
  }
  words.erase(words.begin());
  const test::Outcome outcome = test::runTioc(words, input);
  return outcome.out + outcome.err;
}

void checkSessions(const std::string& file, size_t expected) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(test::sourceDir());
  std::istringstream lines(test::readFile(file));
  bool isOpen = false;
  std::string command, shown;
  size_t commands = 0;
  const auto check = [&] {
    if (!command.empty()) {
      EXPECT_EQ(run(wordsOf(command)), shown) << command;
      ++commands;
    }
    command.clear();
    shown.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      check();
      isOpen = line == "```console";
    } else if (isOpen && line.starts_with("$ ")) {
      check();
      command = line.substr(2);
    } else if (isOpen) {
      shown += line + "\n";
    }
  }
  EXPECT_EQ(commands, expected);
  std::filesystem::current_path(before);
}

TEST(ConformanceDocs, SessionsAreAsShown) {
  checkSessions("docs/conformance.md", 6);
  checkSessions("docs/mutation.md", 5);
  checkSessions("docs/ests.md", 2);
}

} // namespace
} // namespace tioc
