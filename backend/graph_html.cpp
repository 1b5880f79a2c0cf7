#include "backend/graph_html.hpp"

#include "backend/graph_json.hpp"

#include <string_view>

namespace tioc::backend {

extern const char* const graphPage;

namespace {

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

/// JSON inside a script element: without `<`, no text can end the element. Outside of strings JSON has none.
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

} // namespace

std::string graphHtml(const ir::Graph& graph) {
  const std::string title = markupEscaped(graph.title);
  const std::string data = scriptEscaped(graphJson(graph));
  std::string out;
  std::string_view rest = graphPage;
  // Copied from the template piece by piece, so that a marker inside the model's texts is only text.
  for (size_t at = rest.find("{{"); at != std::string_view::npos; at = rest.find("{{")) {
    size_t end = rest.find("}}", at);
    out += rest.substr(0, at);
    out += rest.substr(at, end - at) == "{{title" ? title : data;
    rest.remove_prefix(end + 2);
  }
  return out.append(rest);
}

} // namespace tioc::backend
