#pragma once

#include "runtime/conformance/trace.hpp"

#include <optional>
#include <string_view>

namespace tioc::conformance {

/// One item of the papers' notation: a delay, or an action with its values.
struct NotationItem {
  std::optional<ir::Rational> delay;
  bool output = false;
  ir::ChannelId channel;
  std::vector<eval::Value> values;
};

/// Reads the item at `position` and moves behind it; nothing, and why, if there is none. Values are written as in
/// models: `4`, `(4, true)`, `(Pdu(kind: ack, seq: 1, payload: 0))`; the names of fields may be left out.
std::optional<NotationItem> readNotation(const ir::Model& model, std::string_view text, size_t& position,
                                         std::string& error);

} // namespace tioc::conformance
