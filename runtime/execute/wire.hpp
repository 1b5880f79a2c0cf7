#pragma once

#include "ir/model.hpp"
#include "runtime/eval/value.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The lines of the protocol `tio/1` (docs/protocol.md): one JSON object each, in both directions.
namespace tioc::execute::wire {

inline constexpr const char* kVersion = "tio/1";

/// The tester's first line. `unit`: how many seconds a time unit takes; nothing: time is virtual.
struct Start {
  std::optional<ir::Rational> unit;
};
/// The system's first line: it listens, and its time is 0.
struct Ready {};
struct Message {
  bool output = false;
  ir::ChannelId channel;
  std::vector<eval::Value> values;
  std::optional<ir::Rational> at;
};
struct Advance {
  ir::Rational delay;
};
struct Now {
  ir::Rational time;
};
/// The system cannot go on.
struct Error {
  std::string text;
};

using Line = std::variant<Start, Ready, Message, Advance, Now, Error>;

/// The text of a line, without its end.
std::string write(const ir::Model& model, const Line& line);

/// What a line says, or why it says nothing.
using Reading = std::variant<Line, std::string>;
Reading read(const ir::Model& model, const std::string& text);

/// A value as JSON: booleans, numbers (strings where a double would lose digits), exact decimals or fractions as
/// strings for reals, literals as strings, records as objects, arrays as arrays.
nlohmann::json toJson(const ir::Model& model, ir::TypeId type, const eval::Value& value);

/// Nothing, and what is wrong in `error`, if the JSON is no value of the type.
std::optional<eval::Value> fromJson(const ir::Model& model, ir::TypeId type, const nlohmann::json& json,
                                    std::string& error);

/// JSON text with every number that is no integer kept as a string of its digits, so that nothing is rounded; nothing
/// and a message if it is not JSON.
std::optional<nlohmann::json> parseExactly(const std::string& text, std::string& error);

} // namespace tioc::execute::wire
