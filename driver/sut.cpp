#include "driver/sut.hpp"

#include "driver/machine.hpp"

#include <ostream>

namespace tioc::driver {

void PlayFlags::addTo(CLI::App& command) {
  command.add_option("--seed", seed, "What a model chooses by chance")->capture_default_str();
  command.add_option("--policy", policy, "When a model gives its outputs")
      ->check(CLI::IsMember({"random", "earliest", "latest"}))
      ->capture_default_str();
  command.add_option("--refused", refused, "What a model does about an input that it does not accept")
      ->check(CLI::IsMember({"ignore", "stop"}))
      ->capture_default_str();
}

execute::PlayOptions PlayFlags::read() const {
  execute::PlayOptions options;
  options.seed = seed;
  options.policy = policy == "earliest" ? execute::Policy::Earliest
                   : policy == "latest" ? execute::Policy::Latest
                                        : execute::Policy::Random;
  options.refusal = refused == "stop" ? execute::Refusal::Stop : execute::Refusal::Ignore;
  options.virtualOnly = virtualOnly;
  return options;
}

std::unique_ptr<execute::Adapter> makeAdapter(const std::string& sut, const PlayFlags& play,
                                              const CompileOptions& options, Io& io, int& code) {
  code = kSuccess;
  if (sut.starts_with("exec:") && sut.size() > 5)
    return std::make_unique<execute::ProcessAdapter>(sut.substr(5));
  if (sut.starts_with("tcp:")) {
    const size_t colon = sut.rfind(':');
    std::string host = sut.substr(4, colon > 4 ? colon - 4 : 0);
    if (host.starts_with('[') && host.ends_with(']'))
      host = host.substr(1, host.size() - 2);
    if (!host.empty() && colon + 1 < sut.size())
      return std::make_unique<execute::TcpAdapter>(host, sut.substr(colon + 1));
  }
  if (sut.starts_with("model:") && sut.size() > 6) {
    const size_t hash = sut.rfind('#');
    const std::string system = hash == std::string::npos ? "" : sut.substr(hash + 1);
    std::unique_ptr<execute::Machine> machine =
        loadMachine(sut.substr(6, hash == std::string::npos ? hash : hash - 6), system, options, io, code);
    if (!machine)
      return nullptr;
    return std::make_unique<execute::ModelAdapter>(std::move(machine), play.read());
  }
  io.err << "tioc: '" << sut << "' is no system; write exec:COMMAND, tcp:HOST:PORT or model:FILE#System\n";
  code = kUsage;
  return nullptr;
}

} // namespace tioc::driver
