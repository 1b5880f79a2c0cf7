// The system under test: a lamp controller that speaks tio/1 on its standard input and output, in real time.
#include <poll.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

using Clock = std::chrono::steady_clock;

namespace {

/// What follows a member's name in a line of JSON, up to the next quote.
std::string member(const std::string& line, const std::string& name) {
  const std::string key = "\"" + name + "\":\"";
  const size_t begin = line.find(key);
  return begin == std::string::npos
             ? ""
             : line.substr(begin + key.size(), line.find('"', begin + key.size()) - begin - key.size());
}

/// `0.1` or `1/10`
double number(const std::string& text) {
  const size_t slash = text.find('/');
  return std::atof(text.c_str()) / (slash == std::string::npos ? 1 : std::atof(text.c_str() + slash + 1));
}

} // namespace

int main() {
  double unit = 1;                       // seconds that a time unit takes
  std::optional<Clock::time_point> next; // when the lamp changes
  bool lit = false;
  const auto in = [&](double units) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(units * unit));
  };
  for (;;) {
    const auto wait = next ? std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count() : -1;
    pollfd input{0, POLLIN, 0};
    if (::poll(&input, 1, next && wait < 0 ? 0 : static_cast<int>(wait)) == 0) {
      std::cout << (lit ? R"({"output":"dark"})" : R"({"output":"light"})") << std::endl;
      lit = !lit;
      next = lit ? std::optional(in(6)) : std::nullopt;
      continue;
    }
    std::string line;
    if (!std::getline(std::cin, line))
      return 0;
    if (line.find("\"start\"") != std::string::npos) {
      unit = number(member(line, "unit"));
      std::cout << R"({"ready":"tio/1"})" << std::endl;
    } else if (member(line, "input") == "press" && !next) {
      next = in(1);
    }
  }
}
