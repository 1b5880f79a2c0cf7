#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc {
namespace {

/// Taking any one semicolon, brace or arrow out of an example gives few errors, and the first is on the line of the gap
/// or the next.
TEST(Recovery, OneMissingTokenGivesOneError) {
  for (const std::string& path : test::filesBelow("examples", ".tio")) {
    std::string text = test::readFile(test::sourceDir() + "/" + path);
    bool comment = false;
    for (size_t i = 0; i < text.size(); ++i) {
      comment |= text.compare(i, 2, "//") == 0;
      comment &= text[i] != '\n';
      if (comment || text[i] != ';')
        continue;
      std::string broken = text.substr(0, i) + text.substr(i + 1);
      test::Compiled compiled = test::compile(broken);
      EXPECT_EQ(compiled.diagnostics.errors(), 1U) << path << "\n" << compiled.text();
      std::vector<frontend::Diagnostic> list = compiled.diagnostics.sorted();
      ASSERT_FALSE(list.empty());
      auto line = static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
      uint32_t seen = compiled.sources[0].lineOf(list[0].span.begin);
      EXPECT_TRUE(seen == line || seen == line + 1) << path << ":" << line + 1 << "\n" << compiled.text();
    }
  }
}

TEST(Recovery, IndependentMistakesAreReportedOneByOne) {
  test::Compiled compiled = test::compile(R"(module m;
input a
output b;
tiosts A {
  clock x;
  init S
  state S {
    a? when -> T;
    b! whem x < 3 -> S;
  }
  state T { a? -> ; }
}
const c = (1 + ;
)");
  EXPECT_EQ(compiled.diagnostics.errors(), 6U) << compiled.text();
}

} // namespace
} // namespace tioc
