#include "runtime/conformance/trace.hpp"

#include "ir/test.hpp"
#include "runtime/conformance/notation.hpp"
#include "runtime/execute/executor.hpp"
#include "runtime/execute/wire.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <unordered_map>

namespace tioc::conformance {

using eval::Value;
using ir::Rational;
using ir::TypeKind;
namespace json = simdjson::ondemand;
namespace wire = execute::wire;

std::string showEvent(const ir::Model& model, const Event& event) {
  if (event.kind == Event::Kind::Silence)
    return "silence";
  std::string text = execute::showMessage(model, event.channel, event.values);
  return text.insert(model[event.channel].name.size(), event.kind == Event::Kind::Output ? "!" : "?");
}

/// Reads messages that are written as testers write them: channel, arguments, time. Whatever looks different is left to
/// the reader of the protocol, which also says what is wrong.
class TraceReader::Quick {
public:
  explicit Quick(const ir::Model& model) : model_(model) {
    for (size_t i = 0; i < model.channels.size(); ++i) {
      if (ir::isObservable(model.channels[i]))
        outputs_.emplace(model.channels[i].name, i);
      if (ir::isStimulus(model.channels[i]))
        inputs_.emplace(model.channels[i].name, i);
    }
  }

  bool read(const char* text, size_t length, size_t capacity, Event& event, Rational& time) {
    json::document document;
    json::object object;
    if (parser_.iterate(text, length, capacity).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS)
      return false;
    bool hasValues = false, hasTime = false;
    event.channel = {};
    for (auto field : object) {
      std::string_view key;
      json::value value;
      if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS)
        return false;
      bool ok = false;
      if (key == "output" || key == "input") {
        ok = !event.channel.valid() && channel(key == "output", value, event);
      } else if (key == "args") {
        ok = event.channel.valid() && !hasValues && arguments(value, event);
        hasValues = true;
      } else if (key == "at") {
        ok = !hasTime && number(value, time) && time.sign() >= 0;
        hasTime = true;
      }
      if (!ok)
        return false;
    }
    return event.channel.valid() && hasTime && document.current_location().error() == simdjson::OUT_OF_BOUNDS &&
           (hasValues || model_[event.channel].parameters.empty());
  }

private:
  bool channel(bool output, json::value& value, Event& event) {
    std::string_view name;
    if (value.get_string().get(name) != simdjson::SUCCESS)
      return false;
    const auto& known = output ? outputs_ : inputs_;
    const auto it = known.find(name);
    if (it == known.end())
      return false;
    event.channel = ir::ChannelId(it->second);
    event.kind = output ? Event::Kind::Output : Event::Kind::Input;
    event.values.resize(model_[event.channel].parameters.size());
    return true;
  }

  bool arguments(json::value& value, Event& event) {
    json::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS)
      return false;
    const auto& parameters = model_[event.channel].parameters;
    size_t at = 0;
    for (auto element : array) {
      json::value one;
      if (at == parameters.size() || element.get(one) != simdjson::SUCCESS ||
          !read(parameters[at].type, one, event.values[at]) ||
          !eval::fits(model_, parameters[at].type, event.values[at]))
        return false;
      ++at;
    }
    return at == parameters.size();
  }

  /// A number, or a string with one.
  static bool number(json::value& value, Rational& result) {
    json::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS)
      return false;
    std::string_view digits;
    if (type == json::json_type::string) {
      if (value.get_string().get(digits) != simdjson::SUCCESS)
        return false;
    } else if (type == json::json_type::number) {
      int64_t whole = 0;
      if (value.get_int64().get(whole) == simdjson::SUCCESS) {
        result = whole;
        return true;
      }
      digits = value.raw_json_token();
      while (!digits.empty() && std::isspace(static_cast<unsigned char>(digits.back())) != 0)
        digits.remove_suffix(1);
    }
    std::optional<Rational> parsed = digits.size() <= kMostDigits ? Rational::parse(digits) : std::nullopt;
    if (parsed)
      result = std::move(*parsed);
    return parsed.has_value();
  }

  bool read(ir::TypeId id, json::value& value, Value& result) {
    const ir::Type& type = model_.types[id];
    switch (type.kind) {
    case TypeKind::Bool: {
      bool yes = false;
      const bool ok = value.get_bool().get(yes) == simdjson::SUCCESS;
      result.number = yes ? 1 : 0;
      return ok;
    }
    case TypeKind::Int:
      return number(value, result.number) && result.number.isInteger();
    case TypeKind::Real:
      return number(value, result.number);
    case TypeKind::Enum: {
      std::string_view name;
      if (value.get_string().get(name) != simdjson::SUCCESS)
        return false;
      const auto& literals = model_[type.enumeration].literals;
      const auto it = std::find(literals.begin(), literals.end(), name);
      result.number = it - literals.begin();
      return it != literals.end();
    }
    case TypeKind::Record:
      return record(model_[type.record], value, result);
    case TypeKind::Array:
      return array(type, value, result);
    }
    return false;
  }

  bool record(const ir::Record& record, json::value& value, Value& result) {
    json::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS)
      return false;
    result.parts.resize(record.fields.size());
    size_t at = 0;
    for (auto field : object) {
      std::string_view key;
      json::value one;
      if (at == record.fields.size() || field.unescaped_key().get(key) != simdjson::SUCCESS ||
          key != record.fields[at].name || field.value().get(one) != simdjson::SUCCESS ||
          !read(record.fields[at].type, one, result.parts[at]))
        return false;
      ++at;
    }
    return at == record.fields.size();
  }

  bool array(const ir::Type& type, json::value& value, Value& result) {
    json::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS)
      return false;
    result.parts.resize(type.size);
    size_t at = 0;
    for (auto element : array) {
      json::value one;
      if (at == type.size || element.get(one) != simdjson::SUCCESS || !read(type.element, one, result.parts[at]))
        return false;
      ++at;
    }
    return at == type.size;
  }

  static constexpr size_t kMostDigits = 4000;

  const ir::Model& model_;
  json::parser parser_;
  std::unordered_map<std::string_view, size_t> outputs_;
  std::unordered_map<std::string_view, size_t> inputs_;
};

TraceReader::TraceReader(const ir::Model& model, std::istream& in)
    : model_(model), in_(in), quick_(std::make_unique<Quick>(model)), buffer_(kMostBytes + simdjson::SIMDJSON_PADDING) {
}

TraceReader::~TraceReader() = default;

TraceReader::Got TraceReader::bad(std::string error) {
  error_ = std::move(error);
  if (isCut_)
    error_ += "; the last line has no end, it may be cut off";
  return Got::Bad;
}

/// The next line; false at the end, or if it is too long.
bool TraceReader::fetch() {
  position_ = length_ = 0;
  if (!in_)
    return false;
  in_.getline(buffer_.data(), static_cast<std::streamsize>(kMostBytes));
  const auto count = static_cast<size_t>(in_.gcount());
  if (count == 0 && in_.eof())
    return false;
  ++line_;
  isCut_ = in_.eof();
  length_ = isCut_ || in_.fail() ? count : count - 1;
  if (!in_.eof() && in_.fail()) {
    in_.clear();
    error_ = "the line has more than " + std::to_string(kMostBytes) + " bytes";
    in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    return false;
  }
  while (length_ > 0 && std::isspace(static_cast<unsigned char>(buffer_[length_ - 1])) != 0)
    --length_;
  return true;
}

TraceReader::Got TraceReader::accept(Event& event, const Rational& time) {
  if (time < time_)
    return bad("time runs backwards, from " + time_.toString() + " to " + time.toString());
  event.time = time_ = time;
  any_ = true;
  return Got::Event;
}

/// A line of the protocol. `done` stays false if it tells nothing about the system.
TraceReader::Got TraceReader::readLine(Event& event, bool& done) {
  done = true;
  Rational time;
  if (quick_->read(buffer_.data(), length_, buffer_.size(), event, time))
    return accept(event, time);
  wire::Reading reading = wire::read(model_, std::string(buffer_.data(), length_));
  if (const auto* wrong = std::get_if<std::string>(&reading))
    return bad(*wrong);
  auto& said = std::get<wire::Line>(reading);
  if (auto* message = std::get_if<wire::Message>(&said)) {
    if (!message->at)
      return bad("the message has no time: \"at\" is missing");
    event.kind = message->output ? Event::Kind::Output : Event::Kind::Input;
    event.channel = message->channel;
    event.values = std::move(message->values);
    return accept(event, *message->at);
  }
  if (const auto* now = std::get_if<wire::Now>(&said)) {
    event.kind = Event::Kind::Silence;
    return accept(event, now->time);
  }
  if (const auto* error = std::get_if<wire::Error>(&said))
    return bad("the system said that it cannot go on: " + error->text);
  if (std::holds_alternative<wire::Start>(said) && any_) {
    time_ = 0;
    any_ = false;
    return Got::Start;
  }
  done = false;
  return Got::Event;
}

TraceReader::Got TraceReader::nextOfLines(Event& event) {
  for (;;) {
    if (length_ > 0) {
      bool done = false;
      const Got got = readLine(event, done);
      length_ = 0;
      if (done)
        return got;
    }
    error_.clear();
    if (!fetch())
      return error_.empty() ? Got::End : bad(error_);
  }
}

TraceReader::Got TraceReader::nextOfNotation(Event& event) {
  const std::string_view text(buffer_.data(), length_);
  for (;;) {
    while (position_ < length_ && std::isspace(static_cast<unsigned char>(buffer_[position_])) != 0)
      ++position_;
    if (position_ < length_)
      break;
    error_.clear();
    if (!fetch())
      return error_.empty() ? Got::End : bad(error_);
    return nextOfNotation(event);
  }
  std::string error;
  std::optional<NotationItem> item = readNotation(model_, text, position_, error);
  if (!item) {
    isCut_ = false; // nothing unusual here
    return bad(std::move(error));
  }
  if (item->delay) {
    event.kind = Event::Kind::Silence;
    return accept(event, time_ + *item->delay);
  }
  event.kind = item->output ? Event::Kind::Output : Event::Kind::Input;
  event.channel = item->channel;
  event.values = std::move(item->values);
  return accept(event, time_);
}

TraceReader::Got TraceReader::next(Event& event) {
  if (!started_) {
    error_.clear();
    do {
      if (!fetch())
        return error_.empty() ? Got::End : bad(error_);
      position_ = 0;
      while (position_ < length_ && std::isspace(static_cast<unsigned char>(buffer_[position_])) != 0)
        ++position_;
    } while (position_ == length_);
    started_ = true;
    isNotation_ = buffer_[position_] != '{';
  }
  return isNotation_ ? nextOfNotation(event) : nextOfLines(event);
}

TraceReader::Got TraceReader::skip() {
  if (isNotation_ || !started_) {
    in_.setstate(std::ios::eofbit);
    return Got::End;
  }
  any_ = true;
  Event event;
  for (;;) {
    const Got got = nextOfLines(event);
    if (got == Got::End || got == Got::Start)
      return got;
    if (got == Got::Bad && !in_)
      return Got::End;
    time_ = 0; // whatever the rest of the run says
  }
}

} // namespace tioc::conformance
