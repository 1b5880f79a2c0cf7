#include "driver/build_files.hpp"

#include "driver/files.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace tioc::driver {

namespace fs = std::filesystem;

void BuildFlags::addTo(CLI::App& command) {
  command.add_option("-o,--output", folder, "Folder for what is written")->type_name("DIR")->capture_default_str();
  command.add_flag("--list-outputs", list, "Only say which files would be written");
  command.add_flag("--write-deps", dependencies,
                   "Also -MD: write a rule for make and ninja that names every file read, to FILE.d in the folder");
  command.add_option("--depfile", depfile, "Also -MF: the file of that rule")->type_name("F");
  command.add_option("--stamp", stamp, "Renew this file when all is up to date; it is the target of the rule then")
      ->type_name("F");
}

std::vector<std::string> withLongBuildFlags(std::vector<std::string> arguments) {
  for (std::string& argument : arguments)
    argument = argument == "-MD" ? "--write-deps" : argument == "-MF" ? "--depfile" : argument;
  return arguments;
}

bool BuildFiles::write(const std::vector<backend::EmittedFile>& files, Io& io) {
  for (const backend::EmittedFile& file : files) {
    const fs::path path = fs::path(flags_.folder) / file.path;
    if (std::find(paths_.begin(), paths_.end(), path.string()) == paths_.end())
      paths_.push_back(path.string());
    if (flags_.list)
      continue;
    std::error_code error;
    fs::create_directories(path.parent_path().empty() ? "." : path.parent_path(), error);
    const std::optional<std::string> known = readIfPresent(path.string());
    if (known && (file.once || *known == file.content))
      continue;
    if (!writeFile(path.string(), file.content, io))
      return false;
  }
  return true;
}

namespace {

/// A path as make and ninja read it.
std::string escaped(const std::string& path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

} // namespace

std::string BuildFiles::rule(const std::vector<std::string>& sources) const {
  std::string text;
  if (flags_.stamp.empty())
    for (const std::string& path : paths_)
      text += (text.empty() ? "" : " ") + escaped(path);
  else
    text = escaped(flags_.stamp);
  text += ":";
  for (const std::string& source : sources)
    if (!source.starts_with("<")) // the standard library and standard input are no files
      text += " \\\n  " + escaped(source);
  return text + "\n";
}

bool BuildFiles::finish(const std::vector<std::string>& sources, Io& io) const {
  std::string list;
  for (const std::string& path : paths_)
    list += path + "\n";
  if (flags_.list) {
    io.out << list;
    return true;
  }
  std::string depfile = flags_.depfile;
  if (depfile.empty() && flags_.dependencies) {
    const std::string stem = fs::path(sources.at(0)).stem().string();
    depfile = (fs::path(flags_.folder) / ((stem.starts_with("<") ? "stdin" : stem) + ".d")).string();
  }
  return (depfile.empty() || writeFile(depfile, rule(sources), io)) &&
         (flags_.stamp.empty() || writeFile(flags_.stamp, list, io));
}

} // namespace tioc::driver
