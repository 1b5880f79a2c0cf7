// Runs every .tio file below tests/files through the compiler and compares what it prints with what the end of the file
// expects.
//
//   // ARGS: check --print-ir %s      the command line, if it is not `check %s`; %s stands for the file
//   module …
//   // ---- other.tio                 the following lines are a second file beside the first
//   // ==== exit 1                    from here on: the exit code, then standard output and standard error
//   // ==== stdout
//   // …
//
// A file called fail_… must fail, any other must not. TIOC_UPDATE=1 writes what was seen into the files.

#include "support/support.hpp"

#include "frontend/diagnostics.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using tioc::test::Outcome;
using tioc::test::readFile;
using tioc::test::runTioc;
using tioc::test::sourceDir;

struct Part {
  std::string name;
  std::string text;
};

struct Case {
  std::vector<std::string> arguments{"check", "%s"};
  std::string source; // all that is not expectation
  std::string expectation;
  std::vector<Part> parts;
};

std::string baseName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Case readCase(const std::string& path) {
  Case result;
  std::string text = readFile(sourceDir() + "/" + path);
  size_t cut = text.starts_with("// ==== ") ? 0 : text.find("\n// ==== ");
  if (cut != std::string::npos && cut != 0)
    ++cut;
  result.source = text.substr(0, cut);
  result.expectation = cut == std::string::npos ? "" : text.substr(cut);
  result.parts.push_back({baseName(path), ""});
  std::istringstream lines(result.source);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// ARGS: ")) {
      std::istringstream words(line.substr(9));
      result.arguments.clear();
      for (std::string word; words >> word;)
        result.arguments.push_back(word);
    }
    if (line.starts_with("// ---- "))
      result.parts.push_back({line.substr(8), ""});
    else
      result.parts.back().text += line + "\n";
  }
  return result;
}

std::string commented(const std::string& title, const std::string& text) {
  if (text.empty())
    return "";
  std::string result = "// ==== " + title + "\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += line.empty() ? "//\n" : "// " + line + "\n";
  return result;
}

/// Runs the case in a folder of its own; `arguments` may replace those of the file.
Outcome runCase(const Case& test, std::vector<std::string> arguments) {
  tioc::test::TemporaryFolder folder;
  for (const Part& part : test.parts)
    folder.write(part.name, part.text);
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (std::string& argument : arguments)
    if (argument == "%s")
      argument = test.parts[0].name;
  Outcome outcome = runTioc(arguments);
  if (arguments[0] == "fmt" && outcome.code == 0 && arguments[1] != "--check")
    outcome.out += readFile(test.parts[0].name);
  std::filesystem::current_path(before);
  return outcome;
}

class FileTest : public testing::TestWithParam<std::string> {};

TEST_P(FileTest, PrintsWhatItExpects) {
  Case test = readCase(GetParam());
  Outcome outcome = runCase(test, test.arguments);
  std::string seen = "// ==== exit " + std::to_string(outcome.code) + "\n" + commented("stdout", outcome.out) +
                     commented("stderr", outcome.err);
  EXPECT_EQ(baseName(GetParam()).starts_with("fail_"), outcome.code != 0) << "exit code " << outcome.code << "\n"
                                                                          << outcome.err;
  if (std::getenv("TIOC_UPDATE")) {
    std::ofstream(sourceDir() + "/" + GetParam(), std::ios::binary) << test.source << seen;
    return;
  }
  EXPECT_EQ(seen, test.expectation);
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : info.param.substr(std::string("tests/files/").size()))
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, FileTest, testing::ValuesIn(tioc::test::filesBelow("tests/files", ".tio")), testName);

TEST(Diagnostics, EveryKindIsTriggeredBySomeFile) {
  std::set<std::string> seen;
  for (const std::string& path : tioc::test::filesBelow("tests/files", ".tio")) {
    Case test = readCase(path);
    if (test.arguments[0] != "check")
      continue;
    std::vector<std::string> arguments{"check", "--diagnostics=json", "%s"};
    if (std::find(test.arguments.begin(), test.arguments.end(), "--deep") != test.arguments.end())
      arguments.emplace_back("--deep");
    Outcome outcome = runCase(test, arguments);
    nlohmann::json json = nlohmann::json::parse(outcome.out);
    for (const auto& diagnostic : json["diagnostics"])
      seen.insert(diagnostic["id"]);
  }
  for (const tioc::frontend::KindInfo& kind : tioc::frontend::kinds())
    EXPECT_TRUE(seen.contains(kind.id)) << "no file below tests/files triggers " << kind.name;
}

TEST(Diagnostics, IdsAreUniqueAndMessagesEndWithoutFullStop) {
  std::set<std::string> ids;
  for (const tioc::frontend::KindInfo& kind : tioc::frontend::kinds()) {
    EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
    EXPECT_FALSE(std::string(kind.text).ends_with(".")) << kind.name;
  }
}

} // namespace
