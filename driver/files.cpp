#include "driver/files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <ostream>

namespace tioc::driver {

namespace fs = std::filesystem;

namespace {

/// Offsets into a source text are 32 bits wide.
constexpr std::uintmax_t kMaxFileSize = 1U << 30;

std::optional<std::string> complain(Io& io, const std::string& path, const std::string& why) {
  io.err << "tioc: cannot read '" << path << "': " << why << "\n";
  return std::nullopt;
}

} // namespace

std::optional<std::string> readIfPresent(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMaxFileSize)
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  std::string text(fs::file_size(path, error), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

std::optional<std::string> readInput(const std::string& path, Io& io) {
  if (path == "-") {
    std::string text(std::istreambuf_iterator<char>(io.in), {});
    return text;
  }
  std::error_code error;
  if (!fs::exists(path, error))
    return complain(io, path, error ? error.message() : "no such file");
  if (fs::is_directory(path, error))
    return complain(io, path, "it is a folder; name a .tio file in it");
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) > kMaxFileSize)
    return complain(io, path, "it is larger than 1 GiB");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return complain(io, path, std::strerror(errno));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad())
    return complain(io, path, "reading failed");
  return text;
}

bool writeFile(const std::string& path, const std::string& content, Io& io) {
  std::error_code error;
  // A link keeps being one: its target is replaced.
  fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  fs::path temporary = target;
  temporary += ".tmp" + std::to_string(getpid());
  {
    std::ofstream file(temporary, std::ios::binary);
    file << content;
    file.close();
    if (!file) {
      io.err << "tioc: cannot write '" << path << "': " << std::strerror(errno) << "\n";
      fs::remove(temporary, error);
      return false;
    }
  }
  if (fs::exists(target, error))
    fs::permissions(temporary, fs::status(target, error).permissions(), error);
  fs::rename(temporary, target, error);
  if (error) {
    io.err << "tioc: cannot write '" << path << "': " << error.message() << "\n";
    fs::remove(temporary, error);
    return false;
  }
  return true;
}

} // namespace tioc::driver
