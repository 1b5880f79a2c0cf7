#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tioc::backend {

/// Any name as an identifier of a target language: ASCII, a letter first, never endlessly long. Letters outside ASCII
/// become their number. Different names may give the same identifier; `Names` keeps them apart.
std::string identifier(std::string_view name);

/// The code point at `at`, which moves behind it. Broken UTF-8 gives its bytes.
uint32_t nextCodePoint(std::string_view text, size_t& at);

/// The words of C++ and the macros in small letters of its libraries, with a blank between them: TTCN-3 goes through a
/// C++ compiler too.
std::string_view cppWords();

/// A name that is no macro of a library by chance: those in capitals only get small letters added.
std::string noMacro(std::string_view name);

/// Text that can stand in a comment that ends with its line.
std::string commentText(std::string_view text);

/// The identifiers of one scope, all different and none reserved.
class Names {
public:
  Names() = default;
  /// Words with a blank between them.
  explicit Names(std::string_view reserved) { reserve(reserved); }
  void reserve(std::string_view words);
  std::string add(std::string_view name);

private:
  std::unordered_set<std::string> used_;
};

} // namespace tioc::backend
