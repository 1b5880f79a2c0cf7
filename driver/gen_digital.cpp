#include "driver/gen_digital.hpp"

#include "driver/subject.hpp"
#include "ir/passes.hpp"

#include <ostream>

namespace tioc::driver {

void DigitalFlags::addTo(CLI::App& command) {
  command.add_flag(
      "--digital-clock", wanted,
      "Tests that count the ticks of a clock instead of measuring time: all up to --depth events, --random N "
      "of them, or with --cover edges as few as try every input edge");
  command.add_option("--tick", tick, "The system of the model that ticks; by default a clock with --period")
      ->type_name("SYSTEM");
  command.add_option("--period", period, "Of the default clock, in time units")->capture_default_str();
  command.add_flag("--early-stops", earlyStops, "Also digital-clock tests that stop before --depth is reached");
  command.add_option("--most", most, "Most digital-clock tests that are written")->capture_default_str();
}

namespace {

/// A clock of the standard library, with a jitter where times are measured.
std::optional<ir::Model> libraryClock(const std::string& period, const ir::Rational& tolerance,
                                      Compilation& compilation, Io& io, int& code) {
  const std::optional<ir::Rational> value = ir::Rational::parse(period);
  if (!value || value->sign() <= 0) {
    io.err << "tioc: --period takes a positive number, not '" << period << "'\n";
    code = kUsage;
    return std::nullopt;
  }
  const auto text = [](const ir::Rational& number) {
    return number.numerator().toString() + ".0 / " + number.denominator().toString() + ".0";
  };
  const std::string clock =
      tolerance.isZero() ? "Tick(" + text(*value) + ")" : "JitteryTick(" + text(*value) + ", " + text(tolerance) + ")";
  std::optional<ir::Model> model =
      compilation.compile("<clock>", "module sampling;\nimport tick;\nsystem Clock = " + clock + ";\n");
  if (!model)
    code = compilation.finish(io);
  return model;
}

} // namespace

testgen::Generated digitalSuite(const ir::Model& model, ir::SystemId system, uint32_t depth, const DigitalFlags& flags,
                                const testgen::GenerateOptions& how, Compilation& compilation, Io& io, int& code) {
  std::optional<ir::Model> library;
  if (flags.tick.empty() && !(library = libraryClock(flags.period, how.tolerance, compilation, io, code)))
    return {};
  const ir::Model& home = library ? *library : model;
  const std::optional<ir::SystemId> ticking = findSystem(home, library ? "Clock" : flags.tick, io);
  if (!ticking || otherKind(home, *ticking)) {
    if (ticking)
      io.err << "tioc: '" << flags.tick << "' is no network of tiosts, so it cannot tick\n";
    code = kUsage;
    return {};
  }
  testgen::DigitalOptions options;
  options.name = how.name;
  options.depth = depth;
  options.choice = how.random > 0      ? testgen::DigitalOptions::Choice::Random
                   : how.goals.empty() ? testgen::DigitalOptions::Choice::All
                                       : testgen::DigitalOptions::Choice::Edges;
  options.most = how.random > 0 ? how.random : flags.most;
  options.earlyStops = flags.earlyStops;
  options.data = how.data;
  options.seed = how.seed;
  options.tolerance = how.tolerance;
  options.limits = how.limits;
  options.limits.depth = 0;
  options.solver = how.solver;
  return testgen::generateDigital(ir::instantiate(model, system), ir::instantiate(home, *ticking), options);
}

} // namespace tioc::driver
