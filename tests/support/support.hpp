#pragma once

#include "frontend/diagnostics.hpp"
#include "ir/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tioc::test {

/// The repository's root.
std::string sourceDir();
std::string readFile(const std::string& path);
/// All files below a folder of the repository that end so, sorted, as paths relative to the root.
std::vector<std::string> filesBelow(const std::string& folder, const std::string& ending);

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs the whole program in this process.
Outcome runTioc(const std::vector<std::string>& arguments, const std::string& input = "");

struct Compiled {
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  std::optional<ir::Model> model;

  bool has(frontend::Kind kind) const;
  std::string text() const { return frontend::renderText(diagnostics, sources, false); }
};

/// The frontend on one text, without any file but the standard library.
Compiled compile(const std::string& text, frontend::DiagnosticOptions options = {});

/// The model of a text that must compile; fails the test otherwise.
ir::Model compileOk(const std::string& text);

/// A folder of its own that goes with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;

private:
  std::string path_;
};

} // namespace tioc::test
