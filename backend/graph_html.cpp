#include "backend/graph_html.hpp"

#include "backend/graph_json.hpp"
#include "backend/page.hpp"

namespace tioc::backend {

extern const char* const graphPage;

std::string graphHtml(const ir::Graph& graph) {
  return fillPage(graphPage, {{"title", markupEscaped(graph.title)}, {"graph", scriptEscaped(graphJson(graph))}});
}

} // namespace tioc::backend
