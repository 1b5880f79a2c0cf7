#include "driver/driver.hpp"

#include <unistd.h>

#include <iostream>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  int code = tioc::driver::run(arguments, {std::cin, std::cout, std::cerr, terminal, terminal});
  std::cout.flush();
  return code;
}
