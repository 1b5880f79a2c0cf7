// Writes the suites of these tests in all forms below a folder: emit_suites FOLDER [CASES]
//
// With CASES, one suite of so many cases instead, to see how compilers take it.
#include "backend/cpp_tests.hpp"
#include "backend/suite_json.hpp"
#include "backend/suites.hpp"
#include "backend/ttcn3.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace tioc;

namespace {

void write(const std::filesystem::path& folder, const std::vector<backend::EmittedFile>& files) {
  std::filesystem::create_directories(folder);
  for (const backend::EmittedFile& file : files)
    std::ofstream(folder / file.path) << file.content;
}

void emit(const std::filesystem::path& folder, const ir::TestSuite& suite) {
  for (const std::string& problem : ir::verify(suite))
    std::cerr << suite.name << ": " << problem << "\n";
  write(folder / "ttcn3", backend::emitTtcn3(suite));
  write(folder / "cpp", backend::emitCpp(suite));
  write(folder / "json", {{suite.name + ".json", backend::suiteJson(suite, [](ir::Span) { return "a.tio:1:1"; })}});
}

ir::TestSuite manyCases(size_t count) {
  ir::TestSuite suite = test::challengeSuite();
  ir::TestCase one = suite.cases[0];
  suite.cases.clear();
  for (size_t i = 0; i < count; ++i) {
    suite.cases.push_back(one);
    suite.cases.back().name += std::to_string(i);
  }
  return suite;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2)
    return 2;
  if (argc > 2) {
    emit(argv[1], manyCases(std::stoul(argv[2])));
    return 0;
  }
  emit(argv[1], test::atmSuite());
  emit(argv[1], test::routeSuite());
  emit(argv[1], test::challengeSuite());
  emit(argv[1], test::namesSuite());
  emit(argv[1], test::longSuite());
  for (uint64_t seed : {1, 3})
    emit(argv[1], test::randomSuite(seed));
}
