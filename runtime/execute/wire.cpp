#include "runtime/execute/wire.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tioc::execute::wire {

using eval::Value;
using ir::Rational;
using ir::TypeKind;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr size_t kMostDigits = 4000;
constexpr size_t kMostLevels = 64;

/// Builds the document; refuses what is nested too deep.
class ExactReader final : public nlohmann::json_sax<json> {
public:
  explicit ExactReader(std::string& error) : error_(error) {}
  json result;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t, const string_t& digits) override { return add(digits); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return open(json::object()); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    error_ = "not JSON: trouble at character " + std::to_string(position);
    return false;
  }

private:
  json* place(json value) {
    if (open_.empty()) {
      result = std::move(value);
      return &result;
    }
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool add(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() == kMostLevels) {
      error_ = "nested too deep";
      return false;
    }
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string& error_;
  std::string key_;
  std::vector<json*> open_; // a parent does not grow while a child of it is open
};

std::string clipped(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

std::optional<Rational> number(const json& value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return Rational::parse(value.dump());
  if (value.is_number_integer())
    return Rational(value.get<int64_t>());
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kMostDigits)
    return std::nullopt;
  return Rational::parse(value.get_ref<const std::string&>());
}

std::optional<Rational> time(const json& value, std::string& error) {
  std::optional<Rational> result = number(value);
  if (!result || result->sign() < 0) {
    error = clipped(value) + " is no time: a decimal such as \"2.5\" or a fraction such as \"1/3\" is";
    return std::nullopt;
  }
  return result;
}

} // namespace

std::optional<json> parseExactly(const std::string& text, std::string& error) {
  ExactReader reader(error);
  if (!json::sax_parse(text, &reader))
    return std::nullopt;
  return std::move(reader.result);
}

namespace {

ordered_json valueJson(const ir::Model& model, ir::TypeId id, const Value& value) {
  constexpr int64_t kExactInDouble = int64_t{1} << 53;
  const ir::Type& type = model.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return value.isTrue();
  case TypeKind::Int:
    if (auto small = value.number.toInt64(); small && -kExactInDouble <= *small && *small <= kExactInDouble)
      return *small;
    return value.number.toString();
  case TypeKind::Real:
    return value.number.toString();
  case TypeKind::Enum:
    return model[type.enumeration].literals[static_cast<size_t>(*value.number.toInt64())];
  case TypeKind::Record: {
    ordered_json result = ordered_json::object();
    const auto& fields = model[type.record].fields;
    for (size_t i = 0; i < fields.size(); ++i)
      result[fields[i].name] = valueJson(model, fields[i].type, value.parts[i]);
    return result;
  }
  case TypeKind::Array: {
    ordered_json result = ordered_json::array();
    for (const Value& part : value.parts)
      result.push_back(valueJson(model, type.element, part));
    return result;
  }
  }
  return nullptr;
}

std::optional<Value> readScalar(const ir::Model& model, const ir::Type& type, const json& value) {
  switch (type.kind) {
  case TypeKind::Bool:
    return value.is_boolean() ? std::optional(Value{value.get<bool>() ? 1 : 0, {}}) : std::nullopt;
  case TypeKind::Enum: {
    if (!value.is_string())
      return std::nullopt;
    const auto& literals = model[type.enumeration].literals;
    const auto it = std::find(literals.begin(), literals.end(), value.get_ref<const std::string&>());
    return it == literals.end() ? std::nullopt : std::optional(Value{it - literals.begin(), {}});
  }
  default: {
    std::optional<Rational> read = number(value);
    if (!read || (type.kind == TypeKind::Int && !read->isInteger()))
      return std::nullopt;
    return Value{std::move(*read), {}};
  }
  }
}

const char* kindName(TypeKind kind) {
  switch (kind) {
  case TypeKind::Bool:
    return "a bool";
  case TypeKind::Int:
    return "an int";
  case TypeKind::Real:
    return "a real (write it as a string: \"0.5\" or \"1/3\")";
  case TypeKind::Enum:
    return "a literal of the enumeration";
  case TypeKind::Record:
    return "a record with these fields";
  case TypeKind::Array:
    return "an array of this size";
  }
  return "";
}

std::optional<Value> valueFrom(const ir::Model& model, ir::TypeId id, const json& value, std::string& error) {
  const ir::Type& type = model.types[id];
  const auto wrong = [&]() -> std::optional<Value> {
    error = clipped(value) + " is not " + kindName(type.kind);
    return std::nullopt;
  };
  Value result;
  if (type.kind == TypeKind::Record) {
    const auto& fields = model[type.record].fields;
    if (!value.is_object() || value.size() != fields.size())
      return wrong();
    for (const ir::Member& field : fields) {
      const auto it = value.find(field.name);
      if (it == value.end())
        return wrong();
      std::optional<Value> part = valueFrom(model, field.type, *it, error);
      if (!part)
        return std::nullopt;
      result.parts.push_back(std::move(*part));
    }
    return result;
  }
  if (type.kind == TypeKind::Array) {
    if (!value.is_array() || value.size() != type.size)
      return wrong();
    for (const json& element : value) {
      std::optional<Value> part = valueFrom(model, type.element, element, error);
      if (!part)
        return std::nullopt;
      result.parts.push_back(std::move(*part));
    }
    return result;
  }
  std::optional<Value> scalar = readScalar(model, type, value);
  return scalar ? scalar : wrong();
}

} // namespace

json toJson(const ir::Model& model, ir::TypeId type, const Value& value) {
  return valueJson(model, type, value);
}

std::optional<Value> fromJson(const ir::Model& model, ir::TypeId type, const json& value, std::string& error) {
  std::optional<Value> result = valueFrom(model, type, value, error);
  if (result && !eval::fits(model, type, *result)) {
    error = clipped(value) + " lies outside the range of its type";
    return std::nullopt;
  }
  return result;
}

// ---- lines

namespace {

struct Writer {
  const ir::Model& model;

  ordered_json operator()(const Start& start) const {
    ordered_json line{{"start", kVersion}, {"time", start.unit ? "real" : "virtual"}};
    if (start.unit)
      line["unit"] = start.unit->toString();
    return line;
  }
  ordered_json operator()(const Ready&) const { return {{"ready", kVersion}}; }
  ordered_json operator()(const Message& message) const {
    ordered_json line{{message.output ? "output" : "input", model[message.channel].name}};
    ordered_json arguments = ordered_json::array();
    const auto& parameters = model[message.channel].parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
      arguments.push_back(valueJson(model, parameters[i].type, message.values[i]));
    line["args"] = std::move(arguments);
    if (message.at)
      line["at"] = message.at->toString();
    return line;
  }
  ordered_json operator()(const Advance& advance) const { return {{"advance", advance.delay.toString()}}; }
  ordered_json operator()(const Now& now) const { return {{"now", now.time.toString()}}; }
  ordered_json operator()(const Error& error) const { return {{"error", error.text}}; }
};

bool isOpenTo(const ir::Channel& channel, bool output) {
  switch (channel.direction) {
  case ir::Direction::Input:
    return !output;
  case ir::Direction::Output:
    return output;
  case ir::Direction::Inout:
    return true;
  case ir::Direction::Internal:
    return channel.open;
  }
  return false;
}

Reading readMessage(const ir::Model& model, const json& line, bool output) {
  const char* const word = output ? "output" : "input";
  const json& name = line[word];
  const auto channel = std::find_if(model.channels.begin(), model.channels.end(), [&](const ir::Channel& c) {
    return name.is_string() && c.name == name.get_ref<const std::string&>() && isOpenTo(c, output);
  });
  if (channel == model.channels.end())
    return "there is no " + std::string(word) + " " + clipped(name);
  Message message;
  message.output = output;
  message.channel = ir::ChannelId(static_cast<size_t>(channel - model.channels.begin()));
  const json arguments = line.value("args", json::array());
  if (!arguments.is_array() || arguments.size() != channel->parameters.size())
    return "'" + channel->name + "' has " + std::to_string(channel->parameters.size()) + " arguments, not " +
           (arguments.is_array() ? std::to_string(arguments.size()) : clipped(arguments));
  std::string error;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::optional<Value> value = fromJson(model, channel->parameters[i].type, arguments[i], error);
    if (!value)
      return "'" + channel->parameters[i].name + "' of '" + channel->name + "': " + error;
    message.values.push_back(std::move(*value));
  }
  if (line.contains("at") && !(message.at = time(line["at"], error)))
    return error;
  return message;
}

Reading readStart(const json& line) {
  if (line["start"] != kVersion)
    return "the tester speaks " + clipped(line["start"]) + ", not " + kVersion;
  const json mode = line.value("time", json("real"));
  if (mode == "virtual")
    return Start{};
  std::string error;
  std::optional<Rational> unit = time(line.value("unit", json("1")), error);
  if (mode != "real" || !unit || unit->isZero())
    return mode != "real" ? "time is real or virtual, not " + clipped(mode) : "a time unit must take some time";
  return Start{std::move(unit)};
}

} // namespace

std::string write(const ir::Model& model, const Line& line) {
  return std::visit(Writer{model}, line).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Reading read(const ir::Model& model, const std::string& text) {
  std::string error = "not JSON";
  std::optional<json> line = parseExactly(text, error);
  if (!line)
    return error;
  if (!line->is_object())
    return "not a JSON object";
  if (line->contains("output"))
    return readMessage(model, *line, true);
  if (line->contains("input"))
    return readMessage(model, *line, false);
  if (line->contains("start"))
    return readStart(*line);
  if (line->contains("ready")) {
    if ((*line)["ready"] != kVersion)
      return "the system speaks " + clipped((*line)["ready"]) + ", not " + kVersion;
    return Ready{};
  }
  if (line->contains("error"))
    return Error{(*line)["error"].is_string() ? (*line)["error"].get<std::string>() : clipped((*line)["error"])};
  for (const char* word : {"advance", "now"})
    if (line->contains(word)) {
      std::optional<Rational> value = time((*line)[word], error);
      if (!value)
        return error;
      return std::string(word) == "now" ? Line(Now{std::move(*value)}) : Line(Advance{std::move(*value)});
    }
  return "none of start, ready, input, output, advance, now and error";
}

} // namespace tioc::execute::wire
