// Writes a page for each sample into a folder: `graph_gallery DIR`.

#include "backend/graph_dot.hpp"
#include "backend/graph_html.hpp"
#include "samples.hpp"

#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: graph_gallery DIR\n";
    return 2;
  }
  using namespace tioc;
  const std::pair<const char*, ir::Graph> pages[] = {
      {"atm", samples::atmTree()},
      {"light", samples::lightGraph()},
      {"large_tree", samples::largeTree(5000)},
      {"large_graph", samples::largeGraph(5000)},
      {"star", samples::star(5000)},
      {"hostile", samples::hostileGraph()},
      {"single", samples::largeTree(1)},
      {"empty", ir::Graph{}},
  };
  for (const auto& [name, graph] : pages) {
    const std::string path = std::string(argv[1]) + "/" + name;
    bool written = bool(std::ofstream(path + ".html") << backend::graphHtml(graph)) &&
                   bool(std::ofstream(path + ".dot") << backend::graphDot(graph));
    if (!written) {
      std::cerr << "graph_gallery: cannot write " << path << "\n";
      return 1;
    }
  }
}
