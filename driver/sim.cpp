#include "driver/commands.hpp"
#include "driver/machine.hpp"
#include "driver/sut.hpp"

#include "runtime/execute/serve.hpp"

#include <unistd.h>

#include <ostream>

namespace tioc::driver {

namespace {

struct SimOptions {
  CompileOptions compile;
  std::string file;
  std::string system;
  std::string mutant;
  std::optional<uint16_t> port;
  std::string host = "127.0.0.1";
  uint64_t connections = 0;
  PlayFlags play;
};

/// One tester after the other; each gets a fresh run with the next seed.
int serveTcp(execute::Machine& machine, execute::PlayOptions play, const SimOptions& options, Io& io) {
  execute::Listener listener;
  if (const auto wrong = listener.open(options.host, *options.port)) {
    io.err << "tioc: " << *wrong << "\n";
    return kUsage;
  }
  io.out << "listening on " << options.host << ":" << listener.port() << std::endl;
  for (uint64_t served = 0; options.connections == 0 || served < options.connections; ++served) {
    execute::LineStream lines = listener.accept();
    if (!lines.isOpen())
      return kUsage;
    execute::Player player(machine, play);
    execute::serve(lines, player);
    ++play.seed;
  }
  return kSuccess;
}

int sim(const SimOptions& options, Io& io) {
  int code = kSuccess;
  const std::unique_ptr<execute::Machine> machine =
      loadMachine(options.file, options.system, options.compile, io, code, options.mutant);
  if (!machine)
    return code;
  const execute::PlayOptions play = options.play.read();
  if (options.port)
    return serveTcp(*machine, play, options, io);
  execute::LineStream lines(dup(STDIN_FILENO), dup(STDOUT_FILENO));
  execute::Player player(*machine, play);
  return execute::serve(lines, player) && !player.hasEnded() ? kSuccess : static_cast<int>(kInconclusive);
}

} // namespace

void addSim(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<SimOptions>();
  CLI::App* command = app.add_subcommand("sim", "Play a model as a system under test");
  command->footer(
      "Speaks tio/1 (docs/protocol.md) on standard input and output, or with --tcp on a port of this machine, and\n"
      "gives only what the model allows: outputs, times and data are chosen by policy and seed.\n\n"
      "Examples:\n"
      "  tioc run suite.json --sut 'exec:tioc sim atm.tio --seed 7' --virtual-time\n"
      "  tioc sim light.tio --system Light --tcp 4000 --policy latest\n"
      "  tioc sim atm.tio --mutant clock-drop@Atm.Verify.DispenseCash#1     a faulty system\n\n"
      "Exit codes: 0 the tester closed the connection, 1 errors in the model, 2 wrong use or unreadable file,\n"
      "11 the model could not go on.");
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("--system", options->system, "The system to play, where the file has several")->type_name("NAME");
  command->add_option("--mutant", options->mutant, "Play this mutant of it, by identity or number; see 'tioc mutate'")
      ->type_name("ID");
  command->add_option("--tcp", options->port, "Serve this port instead of standard input; 0 takes a free one")
      ->type_name("PORT");
  command->add_option("--host", options->host, "With --tcp: the address to listen on")->capture_default_str();
  command->add_option("--connections", options->connections, "With --tcp: end after so many testers; 0: never")
      ->capture_default_str();
  options->play.addTo(*command);
  command->add_flag("--virtual-time", options->play.virtualOnly, "Turn testers away that want real time");
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = sim(*options, io); });
}

} // namespace tioc::driver
