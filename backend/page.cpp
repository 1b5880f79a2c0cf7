#include "backend/page.hpp"

namespace tioc::backend {

std::string markupEscaped(std::string_view text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string scriptEscaped(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (char c : json)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

std::string fillPage(std::string_view page, const std::map<std::string, std::string, std::less<>>& texts) {
  std::string out;
  for (size_t at = page.find("{{"); at != std::string_view::npos; at = page.find("{{")) {
    const size_t end = page.find("}}", at);
    out += page.substr(0, at);
    out += texts.find(page.substr(at + 2, end - at - 2))->second;
    page.remove_prefix(end + 2);
  }
  return out.append(page);
}

} // namespace tioc::backend
