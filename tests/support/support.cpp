#include "support/support.hpp"

#include "driver/driver.hpp"
#include "frontend/lower.hpp"
#include "frontend/program.hpp"
#include "stdlib/stdlib.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace tioc::test {

namespace fs = std::filesystem;

std::string sourceDir() {
  return TIOC_SOURCE_DIR;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> filesBelow(const std::string& folder, const std::string& ending) {
  std::vector<std::string> result;
  fs::path root = sourceDir();
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending))
      result.push_back(fs::relative(entry.path(), root).string());
  std::sort(result.begin(), result.end());
  return result;
}

Outcome runTioc(const std::vector<std::string>& arguments, const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  int code = driver::run(arguments, {in, out, err, false});
  return {code, out.str(), err.str()};
}

bool Compiled::has(frontend::Kind kind) const {
  std::vector<frontend::Diagnostic> list = diagnostics.sorted();
  return std::any_of(list.begin(), list.end(), [&](const frontend::Diagnostic& d) { return d.kind == kind; });
}

Compiled compile(const std::string& text, frontend::DiagnosticOptions options) {
  Compiled result{{}, frontend::Diagnostics(std::move(options)), std::nullopt};
  frontend::FileAccess access{[](const std::string&) { return std::nullopt; }, {}, stdlib::source};
  if (auto program = frontend::load("test.tio", text, access, result.sources, result.diagnostics))
    result.model = frontend::lower(*program, result.diagnostics);
  return result;
}

ir::Model compileOk(const std::string& text) {
  Compiled compiled = compile(text);
  if (!compiled.model)
    throw std::runtime_error("the model does not compile:\n" + compiled.text());
  return std::move(*compiled.model);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "tioc-test-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  fs::path path = fs::path(path_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

} // namespace tioc::test
