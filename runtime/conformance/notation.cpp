#include "runtime/conformance/notation.hpp"

#include "ir/test.hpp"

#include <algorithm>

namespace tioc::conformance {

using eval::Value;
using ir::Rational;
using ir::TypeKind;

namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

class Reader {
public:
  Reader(const ir::Model& model, std::string_view text, size_t& position, std::string& error)
      : model_(model), text_(text), at_(position), error_(error) {}

  std::optional<NotationItem> item() {
    skip();
    const size_t begin = at_;
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-'))
      return delay();
    const std::string name(word());
    if (name.empty())
      return fail("a delay or an action is expected at '" + rest(begin) + "'");
    if (at_ >= text_.size() || (text_[at_] != '?' && text_[at_] != '!'))
      return fail("'" + name + "' needs ? (input) or ! (output) behind it");
    NotationItem result;
    result.output = text_[at_++] == '!';
    const auto channel = std::find_if(model_.channels.begin(), model_.channels.end(), [&](const ir::Channel& c) {
      return c.name == name && (result.output ? ir::isObservable(c) : ir::isStimulus(c));
    });
    if (channel == model_.channels.end())
      return fail("there is no " + std::string(result.output ? "output" : "input") + " '" + name + "'");
    result.channel = ir::ChannelId(static_cast<size_t>(channel - model_.channels.begin()));
    if (!arguments(*channel, result.values))
      return std::nullopt;
    return result;
  }

private:
  std::nullopt_t fail(std::string text) {
    error_ = std::move(text);
    return std::nullopt;
  }
  std::string rest(size_t from) const {
    constexpr size_t kMost = 40;
    return std::string(text_.substr(from, kMost)) + (text_.size() - from > kMost ? "..." : "");
  }
  void skip() {
    while (at_ < text_.size() && isSpace(text_[at_]))
      ++at_;
  }
  bool isAtEnd() const { return at_ >= text_.size() || isSpace(text_[at_]); }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    const size_t begin = at_;
    while (at_ < text_.size() && isWordChar(text_[at_]))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::optional<Rational> number() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (isWordChar(text_[at_]) || text_[at_] == '.' || text_[at_] == '/' || text_[at_] == '-' || text_[at_] == '+'))
      ++at_;
    return Rational::parse(text_.substr(begin, at_ - begin));
  }

  std::optional<NotationItem> delay() {
    const size_t begin = at_;
    NotationItem result;
    result.delay = number();
    if (!result.delay || !isAtEnd())
      return fail("'" + rest(begin) + "' is no delay: a decimal such as 2.5 or a fraction such as 1/3 is");
    if (result.delay->sign() < 0)
      return fail("the delay " + result.delay->toString() + " runs backwards");
    return result;
  }

  bool arguments(const ir::Channel& channel, std::vector<Value>& values) {
    const size_t begin = at_;
    const bool open = at_ < text_.size() && text_[at_] == '(';
    at_ += open ? 1 : 0;
    bool more = open ? !take(')') : !isAtEnd();
    while (more && values.size() < channel.parameters.size()) {
      const ir::Member& parameter = channel.parameters[values.size()];
      std::optional<Value> one = value(parameter.type);
      if (!one) {
        error_ = "'" + parameter.name + "' of '" + channel.name + "': " + error_;
        return false;
      }
      values.push_back(std::move(*one));
      more = (open || !isAtEnd()) && take(',');
      if (!more && open && !take(')')) {
        error_ = "a ')' is missing at '" + rest(at_) + "'";
        return false;
      }
    }
    if (!more && values.size() == channel.parameters.size() && isAtEnd())
      return true;
    error_ = "'" + channel.name + "' has " + std::to_string(channel.parameters.size()) +
             (channel.parameters.size() == 1 ? " argument" : " arguments") + ", not '" + rest(begin) + "'";
    return false;
  }

  std::optional<Value> value(ir::TypeId id) {
    const ir::Type& type = model_.types[id];
    skip();
    const size_t begin = at_;
    std::optional<Value> result;
    switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Enum:
      result = literal(type);
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      if (auto read = number(); read && (type.kind == TypeKind::Real || read->isInteger()))
        result = Value{std::move(*read), {}};
      break;
    case TypeKind::Record:
      result = record(model_[type.record]);
      break;
    case TypeKind::Array:
      result = array(type);
      break;
    }
    if (result && eval::fits(model_, id, *result))
      return result;
    if (error_.empty())
      error_ = "'" + rest(begin) + "' is no value of its type";
    return std::nullopt;
  }

  std::optional<Value> literal(const ir::Type& type) {
    const std::string_view name = word();
    if (type.kind == TypeKind::Bool)
      return name == "true" || name == "false" ? std::optional(Value{name == "true" ? 1 : 0, {}}) : std::nullopt;
    const auto& literals = model_[type.enumeration].literals;
    const auto it = std::find(literals.begin(), literals.end(), name);
    return it == literals.end() ? std::nullopt : std::optional(Value{it - literals.begin(), {}});
  }

  std::optional<Value> record(const ir::Record& record) {
    Value result;
    if (word() != record.name || !take('('))
      return std::nullopt;
    for (size_t i = 0; i < record.fields.size(); ++i) {
      if (i > 0 && !take(','))
        return std::nullopt;
      skip();
      const size_t begin = at_;
      if (word() != record.fields[i].name || !take(':'))
        at_ = begin;
      std::optional<Value> part = value(record.fields[i].type);
      if (!part)
        return std::nullopt;
      result.parts.push_back(std::move(*part));
    }
    return take(')') ? std::optional(std::move(result)) : std::nullopt;
  }

  std::optional<Value> array(const ir::Type& type) {
    Value result;
    if (!take('['))
      return std::nullopt;
    for (uint32_t i = 0; i < type.size; ++i) {
      if (i > 0 && !take(','))
        return std::nullopt;
      std::optional<Value> part = value(type.element);
      if (!part)
        return std::nullopt;
      result.parts.push_back(std::move(*part));
    }
    return take(']') ? std::optional(std::move(result)) : std::nullopt;
  }

  const ir::Model& model_;
  std::string_view text_;
  size_t& at_;
  std::string& error_;
};

} // namespace

std::optional<NotationItem> readNotation(const ir::Model& model, std::string_view text, size_t& position,
                                         std::string& error) {
  error.clear();
  return Reader(model, text, position, error).item();
}

} // namespace tioc::conformance
