#include "backend/junit.hpp"

#include <algorithm>
#include <cstdio>

namespace tioc::backend {

namespace {

/// Also drops what XML 1.0 has no way to write.
std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\n':
    case '\t':
      result += c == '\n' ? "&#10;" : "&#9;";
      break;
    default:
      if (static_cast<unsigned char>(c) >= 0x20)
        result += c;
    }
  return result;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

std::string seconds(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.3f", value);
  return text;
}

} // namespace

std::string junit(const std::string& suite, std::span<const JUnitCase> cases) {
  const auto count = [&](ir::Verdict verdict) {
    return std::to_string(
        std::count_if(cases.begin(), cases.end(), [&](const JUnitCase& c) { return c.verdict == verdict; }));
  };
  double total = 0;
  for (const JUnitCase& test : cases)
    total += test.seconds;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite" +
                     attribute("name", suite) + attribute("tests", std::to_string(cases.size())) +
                     attribute("failures", count(ir::Verdict::Fail)) +
                     attribute("errors", count(ir::Verdict::Inconclusive)) + attribute("time", seconds(total)) + ">\n";
  for (const JUnitCase& test : cases) {
    text += "    <testcase" + attribute("classname", suite) + attribute("name", test.name) +
            attribute("time", seconds(test.seconds)) + ">\n";
    if (test.verdict == ir::Verdict::Fail)
      text += "      <failure" + attribute("type", "fail") + attribute("message", test.reason) + "/>\n";
    if (test.verdict == ir::Verdict::Inconclusive)
      text += "      <error" + attribute("type", "inconclusive") + attribute("message", test.reason) + "/>\n";
    text += "      <system-out>" + escaped((test.about.empty() ? "" : test.about + "\n") + test.log) +
            "</system-out>\n    </testcase>\n";
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace tioc::backend
