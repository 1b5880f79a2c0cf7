#include "backend/identifiers.hpp"

#include <algorithm>
#include <cstdint>

namespace tioc::backend {

namespace {

constexpr std::string_view kWords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
    "char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public register reinterpret_cast requires return short signed "
    "sizeof static static_assert static_cast struct switch template this thread_local throw true try "
    "typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq assert "
    "errno i386 linux major makedev minor sa_handler sa_sigaction s_addr signals slots stderr stdin "
    "stdout unix";

constexpr size_t kMostLetters = 60;

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string hex(uint64_t value) {
  std::string text;
  for (; value || text.empty(); value /= 16)
    text.insert(text.begin(), "0123456789abcdef"[value % 16]);
  return text;
}

uint64_t checksum(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

} // namespace

uint32_t nextCodePoint(std::string_view text, size_t& at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  uint32_t first = byte(at++);
  size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || at + more > text.size())
    return first;
  uint32_t code = first & (0x3F >> more);
  for (size_t i = 0; i < more; ++i)
    code = code << 6 | (byte(at + i) & 0x3F);
  at += more;
  return code;
}

std::string identifier(std::string_view name) {
  std::string result;
  for (size_t at = 0; at < name.size();) {
    char c = name[at];
    if (isLetter(c) || (c >= '0' && c <= '9')) {
      result += c;
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      // Doubled and outer underscores are the compiler's in C++, and no part of names in TTCN-3.
      if (!result.empty() && result.back() != '_')
        result += '_';
      ++at;
    } else {
      result += "u" + hex(nextCodePoint(name, at));
    }
  }
  while (!result.empty() && result.back() == '_')
    result.pop_back();
  if (result.empty() || !isLetter(result[0]))
    result.insert(0, "x");
  if (result.size() > kMostLetters)
    result = result.substr(0, kMostLetters - 17) + "x" + hex(checksum(name));
  return result;
}

std::string_view cppWords() {
  return kWords;
}

std::string noMacro(std::string_view name) {
  bool capitals = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return std::string(name) + (capitals && !name.empty() ? "_v" : "");
}

std::string commentText(std::string_view text) {
  std::string result;
  for (char c : text)
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c == '\\' ? '/' : c;
  return result;
}

void Names::reserve(std::string_view words) {
  for (size_t at = 0; at < words.size();) {
    size_t end = std::min(words.find(' ', at), words.size());
    used_.emplace(words.substr(at, end - at));
    at = end + 1;
  }
}

std::string Names::add(std::string_view name) {
  std::string base = identifier(name);
  std::string result = base;
  for (size_t i = 2; !used_.insert(result).second; ++i)
    result = base + "_" + std::to_string(i);
  return result;
}

} // namespace tioc::backend
