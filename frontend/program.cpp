#include "frontend/program.hpp"

#include "frontend/parse.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace tioc::frontend {

namespace {

std::string folderOf(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// One name for one file, however it was reached.
std::string keyOf(const std::string& path) {
  return path.starts_with("<") ? path : std::filesystem::absolute(path).lexically_normal().string();
}

std::string dotted(const syntax::QualifiedName& name) {
  std::string text;
  for (const syntax::Name& part : name.parts)
    text += (text.empty() ? "" : ".") + std::string(part.text);
  return text;
}

class Loader {
public:
  Loader(const FileAccess& access, Sources& sources, Diagnostics& diagnostics)
      : access_(access), sources_(sources), diagnostics_(diagnostics) {}

  /// The module's index in the program, or nothing after an error.
  std::optional<size_t> module(const std::string& path, std::string text) {
    program.files.push_back(path);
    uint32_t file = sources_.add(path, std::move(text));
    std::optional<syntax::Module> parsed = parse(sources_, file, diagnostics_);
    if (!parsed) {
      state_[keyOf(path)] = {};
      return std::nullopt;
    }
    open_.emplace_back(keyOf(path), dotted(parsed->name));
    LoadedModule loaded{std::move(*parsed), {}};
    bool good = true;
    for (const syntax::Item& item : loaded.syntax.items)
      if (const auto* import = std::get_if<syntax::Import>(&item)) {
        std::optional<size_t> index = resolve(*import, path);
        good &= index.has_value();
        if (!index)
          continue;
        if (std::find(loaded.imports.begin(), loaded.imports.end(), *index) != loaded.imports.end())
          diagnostics_.report(Kind::ImportRepeated, import->name.span, {dotted(import->name)});
        else
          loaded.imports.push_back(*index);
      }
    open_.pop_back();
    if (!good) {
      state_[keyOf(path)] = {};
      return std::nullopt;
    }
    program.modules.push_back(std::move(loaded));
    size_t index = program.modules.size() - 1;
    state_[keyOf(path)] = index;
    return index;
  }

  Program program;

private:
  std::optional<size_t> resolve(const syntax::Import& import, const std::string& importer) {
    std::string name = dotted(import.name);
    std::string file = name;
    std::replace(file.begin(), file.end(), '.', '/');
    file += ".tio";
    std::vector<std::string> places{folderOf(importer) + file};
    for (const std::string& dir : access_.includeDirs)
      places.push_back(dir + (dir.ends_with('/') ? "" : "/") + file);
    for (const std::string& place : places) {
      if (const std::optional<size_t>* known = lookUp(import, place))
        return *known;
      if (std::optional<std::string> text = access_.read(place))
        return checked(import, name, module(place, std::move(*text)));
    }
    std::string libraryPath = "<stdlib>/" + file;
    if (const std::optional<size_t>* known = lookUp(import, libraryPath))
      return *known;
    if (std::optional<std::string> text = access_.library ? access_.library(file) : std::nullopt)
      return checked(import, name, module(libraryPath, std::move(*text)));
    diagnostics_.report(Kind::ImportNotFound, import.name.span, {name, file});
    return std::nullopt;
  }

  /// What became of a file that was met before: its index, or nothing if it is broken or just being read. Null for a
  /// new file.
  const std::optional<size_t>* lookUp(const syntax::Import& import, const std::string& path) {
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].first != keyOf(path))
        continue;
      std::string cycle;
      for (size_t j = i; j < open_.size(); ++j)
        cycle += open_[j].second + " -> ";
      diagnostics_.report(Kind::ImportCycle, import.name.span, {cycle + open_[i].second});
      return &broken_;
    }
    auto it = state_.find(keyOf(path));
    return it == state_.end() ? nullptr : &it->second;
  }

  std::optional<size_t> checked(const syntax::Import& import, const std::string& name, std::optional<size_t> index) {
    if (!index)
      return index;
    const syntax::QualifiedName& own = program.modules[*index].syntax.name;
    if (dotted(own) == name)
      return index;
    diagnostics_.report(Kind::ModuleNameDiffers, import.name.span, {dotted(own), name})
        .note(own.span, "the module's name is given here");
    return std::nullopt;
  }

  const FileAccess& access_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<std::pair<std::string, std::string>> open_; // path and module name of the imports under way
  std::map<std::string, std::optional<size_t>> state_;    // finished files
  const std::optional<size_t> broken_;
};

} // namespace

std::optional<Program> load(const std::string& path, std::string text, const FileAccess& access, Sources& sources,
                            Diagnostics& diagnostics) {
  Loader loader(access, sources, diagnostics);
  std::optional<size_t> root = loader.module(path, std::move(text));
  if (!root)
    return std::nullopt;
  return std::move(loader.program);
}

} // namespace tioc::frontend
