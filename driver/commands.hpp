#pragma once

#include "driver/driver.hpp"

#include <CLI/CLI.hpp>

namespace tioc::driver {

/// Each adds its command to the program; the callback leaves the exit code in `code`.
void addCheck(CLI::App& app, Io& io, int& code);
void addExplore(CLI::App& app, Io& io, int& code);
void addGen(CLI::App& app, Io& io, int& code);
void addFormat(CLI::App& app, Io& io, int& code);
void addMerge(CLI::App& app, Io& io, int& code);
void addMutate(CLI::App& app, Io& io, int& code);
void addRun(CLI::App& app, Io& io, int& code);
void addSim(CLI::App& app, Io& io, int& code);
void addTest(CLI::App& app, Io& io, int& code);
void addVerdict(CLI::App& app, Io& io, int& code);

} // namespace tioc::driver
