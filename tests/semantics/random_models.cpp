#include "semantics/random_models.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace tioc::semantics {

namespace {

/// The distributions of the standard library differ between implementations; these do not.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
  unsigned between(unsigned first, unsigned last) { return first + below(last - first + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

private:
  std::mt19937_64 engine_;
};

enum class Type : uint8_t { Ranged, Int, Bool };

constexpr unsigned kLast = 3; // of int[0..3]

struct Variable {
  std::string name;
  Type type;
};

struct Channel {
  std::string name;
  std::string direction;
  bool broadcast = false;
  std::vector<Type> types;
  std::vector<unsigned> senders;
  std::vector<unsigned> receivers;
};

std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : between) + part;
  return text;
}

class Generator {
public:
  Generator(uint64_t seed, const RandomModelOptions& options) : dice_(seed), options_(options) {}

  std::string module() {
    components_ = dice_.between(1, options_.components);
    if (options_.shared && options_.data && components_ > 1 && dice_.chance(50))
      shared_.push_back({"g", integer()});
    if (options_.shared && options_.clocks > 0 && components_ > 1 && dice_.chance(30))
      sharedClocks_.push_back("z");
    channels();
    std::string automata;
    for (unsigned i = 0; i < components_; ++i)
      automata += automaton(i);

    std::string text = "module random;\n\n";
    for (const Channel& channel : channels_)
      text += declaration(channel);
    for (const Variable& variable : shared_)
      text += "var " + variable.name + ": " + typeName(variable.type) + " = 0;\n";
    for (const std::string& clock : sharedClocks_)
      text += "clock " + clock + ";\n";
    text += automata + "\nsystem Net = ";
    for (unsigned i = 0; i < components_; ++i)
      text += (i ? " || P" : "P") + std::to_string(i);
    return text + ";\n";
  }

private:
  // ---- channels

  void channels() {
    auto everyone = [&] {
      std::vector<unsigned> all;
      for (unsigned i = 0; i < components_; ++i)
        all.push_back(i);
      return all;
    };
    auto add = [&](const char* name, const char* direction, std::vector<unsigned> senders,
                   std::vector<unsigned> receivers) {
      Channel channel{name, direction, false, {}, std::move(senders), std::move(receivers)};
      if (options_.parameters && dice_.chance(45))
        for (unsigned i = dice_.chance(15) ? 2 : 1; i > 0; --i)
          channel.types.push_back(dice_.chance(20) ? Type::Bool : integer());
      channels_.push_back(std::move(channel));
    };
    add("a", "input", {}, everyone());
    if (dice_.chance(40))
      add("b", "input", {}, {dice_.below(components_)});
    add("c", "output", everyone(), {});
    if (dice_.chance(50))
      add("d", "output", {dice_.below(components_)}, {});
    if (dice_.chance(15))
      add("e", "inout", {dice_.below(components_)}, {dice_.below(components_)});
    if (components_ < 2)
      return;
    unsigned from = dice_.below(components_);
    unsigned to = (from + 1 + dice_.below(components_ - 1)) % components_;
    add("s", "internal", {from}, {to});
    if (dice_.chance(40))
      add("t", dice_.chance(50) ? "internal" : "output", {to}, {from});
    if (components_ > 2 && dice_.chance(40))
      add("u", "internal", {0, 1}, {1, 2});
    if (options_.broadcast && dice_.chance(50)) {
      std::vector<unsigned> others = everyone();
      others.erase(others.begin() + from);
      add("v", dice_.chance(50) ? "internal" : "output", {from}, std::move(others));
      channels_.back().broadcast = true;
    }
    if (options_.broadcast && dice_.chance(10)) {
      add("w", "input", {}, everyone());
      channels_.back().broadcast = true;
    }
  }

  Type integer() { return options_.ranged && dice_.chance(70) ? Type::Ranged : Type::Int; }

  static std::string typeName(Type type) {
    return type == Type::Bool ? "bool" : type == Type::Int ? "int" : "int[0.." + std::to_string(kLast) + "]";
  }

  static std::string declaration(const Channel& channel) {
    std::vector<std::string> members;
    for (Type type : channel.types)
      members.push_back("m" + std::to_string(members.size()) + ": " + typeName(type));
    return (channel.broadcast ? "broadcast " : "") + channel.direction + " " + channel.name +
           (members.empty() ? "" : "(" + join(members, ", ") + ")") + ";\n";
  }

  // ---- automata

  std::string automaton(unsigned index) {
    const std::string suffix = std::to_string(index);
    self_ = index;
    variables_ = shared_;
    clocks_ = sharedClocks_;
    location_ = options_.locationDeadlines && dice_.chance(50);
    std::string text = "\ntiosts P" + suffix + " {\n";
    std::string condition;
    if (options_.data && dice_.chance(85)) {
      text += "  var n" + suffix + ": " + typeName(add("n" + suffix, integer()));
      if (options_.openVariables && dice_.chance(50))
        condition = " when 0 <= n" + suffix + " && n" + suffix + " <= " + std::to_string(dice_.between(0, 2));
      else
        text += " = " + std::to_string(dice_.below(3));
      text += ";\n";
      if (dice_.chance(35))
        text += "  var k" + suffix + ": " + typeName(add("k" + suffix, integer())) + " = 0;\n";
      if (dice_.chance(30))
        text += "  var f" + suffix + ": " + typeName(add("f" + suffix, Type::Bool)) + " = false;\n";
    }
    std::vector<std::string> own;
    for (unsigned i = 0, count = dice_.between(std::min(1U, options_.clocks), options_.clocks); i < count; ++i)
      own.push_back(std::string(1, static_cast<char>('x' + i)) + suffix);
    clocks_.insert(clocks_.end(), own.begin(), own.end());
    if (!own.empty())
      text += "  clock " + join(own, ", ") + ";\n";
    if (location_)
      text += "  deadlines location;\n";
    text += "  init L0" + condition + ";\n";

    const unsigned most = std::max(options_.locations, 1U);
    const unsigned count = dice_.between(most > 3 ? most - 1 : std::min(most, 2U), most);
    std::vector<std::string> edges(count);
    edge_ = 0;
    duties_.clear();
    for (const auto& [action, channel] : actions())
      if (channel && !channel->senders.empty() && !channel->receivers.empty())
        duties_.emplace_back(action, channel);
    // A tree keeps every location within reach as far as the graph goes; more edges close circles.
    for (unsigned to = 1; to < count; ++to)
      edges[dice_.below(to)] += edge(to, true);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned more = dice_.below(3) + (edges[i].empty() ? 1 : 0); more > 0; --more)
        edges[i] += edge(dice_.below(count), false);
    while (!duties_.empty())
      edges[dice_.below(count)] += edge(dice_.below(count), false);
    for (unsigned i = 0; i < count; ++i)
      text += location(i) + edges[i] + "  }\n";
    return text + "}\n";
  }

  Type add(const std::string& name, Type type) {
    variables_.push_back({name, type});
    return type;
  }

  std::string location(unsigned index) {
    std::string text = "  ";
    bool still = options_.urgentLocations && index > 0 && dice_.chance(12);
    if (still)
      text += dice_.chance(50) ? "urgent " : "committed ";
    text += "state L" + std::to_string(index);
    if (options_.invariants && !still && !clocks_.empty() && dice_.chance(25)) {
      text += " invariant " + dice_.pick(clocks_) + (options_.strict && dice_.chance(20) ? " < " : " <= ");
      text += std::to_string(dice_.between(1, options_.constant)) + fraction();
      if (options_.data && !variables_.empty() && dice_.chance(10))
        text += " && " + comparison(dice_.pick(variables_));
    }
    return text + " {\n";
  }

  // ---- edges

  enum class Action : uint8_t { Tau, Send, Receive };

  using Use = std::pair<Action, const Channel*>;

  std::vector<Use> actions() const {
    std::vector<Use> result{{Action::Tau, nullptr}};
    for (const Channel& channel : channels_) {
      if (std::count(channel.senders.begin(), channel.senders.end(), self_))
        result.emplace_back(Action::Send, &channel);
      if (std::count(channel.receivers.begin(), channel.receivers.end(), self_))
        result.emplace_back(Action::Receive, &channel);
    }
    return result;
  }

  /// Both ends of a channel between components must be there, or it is no channel.
  Use chooseAction() {
    if (duties_.empty() || dice_.chance(50))
      return dice_.pick(actions());
    size_t index = dice_.below(static_cast<unsigned>(duties_.size()));
    Use use = duties_[index];
    duties_.erase(duties_.begin() + static_cast<std::ptrdiff_t>(index));
    return use;
  }

  std::string edge(unsigned target, bool easy) {
    auto [action, channel] = chooseAction();
    std::string urgency = action == Action::Tau ? "eager" : action == Action::Send ? "delayable" : "lazy";
    std::string stated;
    if (options_.urgency && dice_.chance(35)) {
      urgency = dice_.pick(std::vector<std::string>{"lazy", "delayable", "eager"});
      stated = urgency + " ";
    }
    std::string text = "    e" + std::to_string(self_) + "_" + std::to_string(edge_++) + ": " + stated;

    std::vector<std::string> guard;
    locals_.clear();
    text += action == Action::Tau ? "tau" : message(*channel, action, guard);
    // An unguarded eager circle would stop time for ever; a lower bound keeps most of them from it.
    bool spin = urgency == "eager" && !clocks_.empty();
    std::vector<std::string> reset;
    for (const std::string& clock : clocks_) {
      unsigned percent = &clock == &clocks_.back() ? 60 : 20;
      if (dice_.chance(easy ? percent / 2 : percent) || (spin && &clock == &clocks_.back()))
        guard.push_back(clockGuard(clock, urgency, spin));
      spin = spin && &clock != &clocks_.back();
      if (dice_.chance(40))
        reset.push_back(clock + " := " + clockValue(clock));
    }
    if (options_.differences && clocks_.size() > 1 && dice_.chance(20))
      guard.push_back(clocks_[0] + " - " + clocks_[1] + dice_.pick(upper()) +
                      std::to_string(dice_.below(options_.constant)));
    if (options_.data && !variables_.empty() && dice_.chance(easy ? 15 : 40))
      guard.push_back(comparison(dice_.pick(variables_)));
    for (const Variable& local : locals_)
      if (dice_.chance(50))
        guard.push_back(comparison(local));
    if (!guard.empty())
      text += " when " + join(guard, " && ");

    for (const Variable& variable : variables_)
      if (dice_.chance(30))
        reset.push_back(variable.name + " := " + value(variable.type));
    if (!reset.empty())
      text += " do " + join(reset, ", ");
    if (options_.priorities && dice_.chance(20))
      text += " priority " + std::to_string(dice_.between(1, 2));
    return text + " -> L" + std::to_string(target) + ";\n";
  }

  std::string message(const Channel& channel, Action action, std::vector<std::string>& guard) {
    std::string text = channel.name + (action == Action::Send ? "!" : "?");
    std::vector<std::string> parts;
    for (Type type : channel.types) {
      unsigned kind = dice_.below(10);
      if (kind < 5) { // a name
        std::string name = "p" + std::to_string(parts.size());
        parts.push_back(name);
        locals_.push_back({name, type});
        if (action == Action::Send && type == Type::Int)
          guard.push_back("0 <= " + name + " && " + name + " <= " + std::to_string(dice_.between(0, kLast)));
      } else if (kind < 6 && (type != Type::Int || action == Action::Receive)) {
        parts.emplace_back("_");
      } else {
        parts.push_back(action == Action::Send ? term(type) : constant(type));
      }
    }
    return text + (parts.empty() ? "" : "(" + join(parts, ", ") + ")");
  }

  std::vector<std::string> upper() {
    return options_.strict ? std::vector<std::string>{" <= ", " <= ", " < "} : std::vector<std::string>{" <= "};
  }

  std::string fraction() { return options_.fractions && dice_.chance(30) ? ".5" : ""; }

  std::string bound(unsigned least) {
    std::vector<std::string> numbers;
    for (const Variable& variable : variables_)
      if (variable.type != Type::Bool)
        numbers.push_back(variable.name);
    if (options_.dataBounds && !numbers.empty() && dice_.chance(30))
      return dice_.pick(numbers);
    return std::to_string(dice_.between(least, options_.constant)) + fraction();
  }

  std::string clockGuard(const std::string& clock, const std::string& urgency, bool lower) {
    bool strictLower = options_.strict && (location_ || urgency != "eager") && dice_.chance(25);
    std::string from = clock + (strictLower ? " > " : " >= ");
    switch (dice_.below(lower ? 3 : 6)) {
    case 0:
      return clock + " == " + bound(1);
    case 1:
      return from + bound(1);
    case 2: {
      unsigned low = dice_.below(options_.constant) + (lower ? 1 : 0);
      unsigned high = dice_.chance(90) ? dice_.between(low, options_.constant + 1) : dice_.below(low + 1);
      return from + std::to_string(low) + " && " + clock + dice_.pick(upper()) + std::to_string(high) + fraction();
    }
    case 3:
      return from + bound(0);
    default:
      return clock + dice_.pick(upper()) + bound(1);
    }
  }

  std::string clockValue(const std::string& clock) {
    std::vector<std::string> others = clocks_;
    std::erase(others, clock);
    if (options_.clockCopies && !others.empty() && dice_.chance(25))
      return dice_.pick(others);
    return options_.constantResets && dice_.chance(20) ? std::to_string(dice_.between(1, 2)) + fraction() : "0";
  }

  // ---- data

  std::string constant(Type type) {
    return type == Type::Bool ? (dice_.chance(50) ? "true" : "false") : std::to_string(dice_.below(kLast + 1));
  }

  std::vector<std::string> names(Type type, bool withLocals) {
    std::vector<std::string> result;
    auto collect = [&](const std::vector<Variable>& from) {
      for (const Variable& variable : from)
        if ((variable.type == Type::Bool) == (type == Type::Bool))
          result.push_back(variable.name);
    };
    collect(variables_);
    if (withLocals)
      collect(locals_);
    return result;
  }

  /// A term that can be sent: over variables only.
  std::string term(Type type) {
    std::vector<std::string> known = names(type, false);
    if (known.empty() || dice_.chance(30))
      return constant(type);
    const std::string& name = dice_.pick(known);
    if (type == Type::Bool)
      return dice_.chance(50) ? name : "!" + name;
    return dice_.chance(70) ? name : name + " + 1";
  }

  /// A new value for a variable; some of those for a range may leave it, some divisions have no value.
  std::string value(Type type) {
    std::vector<std::string> known = names(type, true);
    if (known.empty() || dice_.chance(25))
      return constant(type);
    const std::string& a = dice_.pick(known);
    const std::string& b = dice_.pick(known);
    if (type == Type::Bool)
      return dice_.chance(50) ? "!" + a : a + (dice_.chance(50) ? " && " : " || ") + b;
    switch (dice_.below(8)) {
    case 0:
      return a;
    case 1:
      return a + " + 1";
    case 2:
      return a + " - 1";
    case 3:
      return "min(" + a + " + " + b + ", " + std::to_string(kLast) + ")";
    case 4:
      return "if " + a + " < " + std::to_string(dice_.between(1, kLast)) + " then " + b + " else 0";
    case 5:
      return dice_.chance(40) ? std::to_string(kLast) + " / " + a : a + " % 2";
    default:
      return "(" + a + " + " + std::to_string(dice_.between(1, 2)) + ") % " + std::to_string(kLast + 1);
    }
  }

  std::string comparison(const Variable& variable) {
    if (variable.type == Type::Bool)
      return dice_.chance(50) ? variable.name : "!" + variable.name;
    std::vector<std::string> others = names(variable.type, false);
    std::erase(others, variable.name);
    std::string right = std::to_string(dice_.below(kLast + 1));
    if (!others.empty() && dice_.chance(30))
      right = dice_.pick(others) + (dice_.chance(25) ? " + 1" : "");
    return variable.name + dice_.pick(std::vector<std::string>{" < ", " <= ", " == ", " != ", " >= ", " > "}) + right;
  }

  Dice dice_;
  RandomModelOptions options_;
  unsigned components_ = 1;
  std::vector<Channel> channels_;
  std::vector<Variable> shared_;
  std::vector<std::string> sharedClocks_;
  // Of the automaton being written.
  unsigned self_ = 0;
  unsigned edge_ = 0;
  bool location_ = false;
  std::vector<Use> duties_; // what it still has to do
  std::vector<Variable> variables_;
  std::vector<std::string> clocks_;
  std::vector<Variable> locals_; // of the edge
};

} // namespace

std::string randomModel(uint64_t seed, const RandomModelOptions& options) {
  return Generator(seed, options).module();
}

RandomModelOptions randomOptions(uint64_t seed, bool all) {
  Dice dice(seed ^ 0x5eed);
  RandomModelOptions options;
  options.components = dice.between(1, 3);
  options.locations = dice.between(2, 5);
  options.clocks = dice.between(1, 2);
  options.constant = dice.between(2, 6);
  for (bool* feature : {&options.strict, &options.data, &options.ranged, &options.parameters, &options.shared,
                        &options.urgency, &options.invariants, &options.urgentLocations, &options.broadcast,
                        &options.priorities, &options.constantResets})
    *feature = dice.chance(65);
  if (all)
    for (bool* feature : {&options.differences, &options.dataBounds, &options.openVariables, &options.clockCopies,
                          &options.fractions, &options.locationDeadlines})
      *feature = dice.chance(30);
  return options;
}

} // namespace tioc::semantics
