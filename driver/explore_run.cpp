#include "driver/exploration.hpp"

#include <ostream>

namespace tioc::driver {

namespace {

using Named = std::vector<std::pair<std::string, std::string>>;

/// The variable's name, with its component's where there are several.
std::string qualified(const semantics::Network& network, ir::VariableId id) {
  const ir::Variable& variable = network.model()[id];
  return (variable.owner.valid() && network.size() > 1 ? network.model()[variable.owner].name + "." : "") +
         variable.name;
}

/// What is shown of a run: one entry for the start, one per step, and one where it waits in the end.
class RunText {
public:
  RunText(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit)
      : model_(model), network_(model), layout_(model), run_(run), unit_(unit),
        states_(explore::replay(model, run).states) {}

  size_t size() const { return run_.steps.size() + 1; }
  std::string delay(size_t i) const { return (delayBefore(i) / unit_).toString(); }
  bool waitsAtEnd() const { return !run_.delay.isZero(); }

  std::string time(size_t i) const {
    ir::Rational sum;
    for (size_t k = 1; k <= i; ++k)
      sum = sum + delayBefore(k);
    return (sum / unit_).toString();
  }

  std::string label(size_t i) const {
    if (i == 0)
      return "start";
    const explore::PathStep& step = run_.steps[i - 1].step;
    const std::string text = explore::stepLabel(model_, layout_, step);
    const bool whose = !step.channel.valid() && network_.size() > 1;
    return whose ? text + " of " + model_[network_.component(network_.componentOf(step.edges[0]))].name : text;
  }

  Named places(size_t i) const {
    Named result;
    for (ir::LocationId id : states_[i].at)
      result.emplace_back(model_[model_[id].automaton].name, model_[id].name);
    return result;
  }

  Named variables(size_t i) const {
    Named result;
    for (ir::VariableId id : network_.variables()) {
      const ir::Variable& variable = model_[id];
      result.emplace_back(
          qualified(network_, id),
          eval::printValue(model_, variable.type,
                           layout_.load(variable.type, states_[i].variables.data() + layout_.offsetOf(id))));
    }
    return result;
  }

private:
  const ir::Rational& delayBefore(size_t i) const {
    return i > run_.steps.size() ? run_.delay : run_.steps[i - 1].delay;
  }

  const ir::Model& model_;
  semantics::Network network_;
  eval::Layout layout_;
  const explore::TimedRun& run_;
  const ir::Rational& unit_;
  std::vector<explore::RunState> states_;
};

} // namespace

std::optional<std::string> checkRun(const Exploration& exploration, const explore::TimedRun& run) {
  const explore::Replay replay = explore::replay(exploration.model, run);
  if (replay.complaint)
    return replay.complaint;
  const semantics::Network network(exploration.model);
  const eval::Layout layout(exploration.model);
  if (!explore::holds(*exploration.condition, network, layout, replay.states.back()))
    return "the condition does not hold at the end";
  return std::nullopt;
}

std::string showRun(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit) {
  const RunText text(model, run, unit);
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result += i == 0 ? "  at 0: " : "  wait " + text.delay(i) + ", at " + text.time(i) + ": ";
    result += text.label(i) + "\n    ";
    const Named places = text.places(i);
    for (size_t k = 0; k < places.size(); ++k)
      result += (k ? ", " : "") + (places.size() > 1 ? places[k].first + "." : "") + places[k].second;
    const Named variables = text.variables(i);
    const Named before = i == 0 ? Named(variables.size()) : text.variables(i - 1);
    const char* separator = "; ";
    for (size_t k = 0; k < variables.size(); ++k)
      if (variables[k] != before[k]) {
        result += separator + variables[k].first + " = " + variables[k].second;
        separator = ", ";
      }
    result += "\n";
  }
  if (text.waitsAtEnd())
    result += "  wait " + text.delay(text.size()) + ", at " + text.time(text.size()) + ": there\n";
  return result;
}

std::string showSteps(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit) {
  const RunText text(model, run, unit);
  std::string result;
  const auto add = [&](const std::string& part) { result += (result.empty() ? "" : ", ") + part; };
  const auto wait = [&](size_t i) {
    if (text.delay(i) != "0")
      add("wait " + text.delay(i));
  };
  for (size_t i = 1; i < text.size(); ++i) {
    wait(i);
    add(text.label(i));
  }
  wait(text.size());
  return result.empty() ? "nothing" : result;
}

std::string showState(const ir::Model& model, const explore::RunState& state) {
  const semantics::Network network(model);
  const eval::Layout layout(model);
  std::string result;
  for (ir::LocationId id : state.at)
    result += (result.empty() ? "" : ", ") + (network.size() > 1 ? model[model[id].automaton].name + "." : "") +
              model[id].name;
  for (ir::VariableId id : network.variables())
    result += ", " + qualified(network, id) + " = " +
              eval::printValue(model, model[id].type,
                               layout.load(model[id].type, state.variables.data() + layout.offsetOf(id)));
  return result;
}

nlohmann::ordered_json runJson(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit) {
  const RunText text(model, run, unit);
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  const auto object = [](const Named& entries) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : entries)
      json[name] = value;
    return json;
  };
  for (size_t i = 0; i < text.size(); ++i)
    result.push_back({{"delay", i == 0 ? "0" : text.delay(i)},
                      {"at", text.time(i)},
                      {"step", i == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(text.label(i))},
                      {"places", object(text.places(i))},
                      {"variables", object(text.variables(i))}});
  if (text.waitsAtEnd())
    result.push_back({{"delay", text.delay(text.size())},
                      {"at", text.time(text.size())},
                      {"step", nullptr},
                      {"places", object(text.places(text.size()))},
                      {"variables", object(text.variables(text.size()))}});
  return result;
}

std::string counted(uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void showText(const nlohmann::ordered_json& json, std::ostream& out, const std::string& indent) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      out << indent << key << ":\n";
      showText(value, out, indent + "  ");
    } else if (!value.is_null()) {
      out << indent << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
    }
  }
}

} // namespace tioc::driver
