#include "runtime/solver/log.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tioc::solver {

LogLink::LogLink(std::string directory, Link& next, Z3& z3) : directory_(std::move(directory)), next_(next), z3_(z3) {
  std::error_code ignored; // a directory that cannot be made shows when the first file cannot be written
  std::filesystem::create_directories(directory_, ignored);
}

Reply LogLink::ask(const Query& query) {
  Reply reply = next_.ask(query);
  char name[32];
  std::snprintf(name, sizeof name, "%06u.smt2", ++count_);
  std::ofstream out(std::filesystem::path(directory_) / name);
  out << z3_.smtlib(query.conditions, reply);
  if (!out && count_ == 1)
    std::fprintf(stderr, "tioc: cannot write the solver's log into '%s'\n", directory_.c_str());
  return reply;
}

} // namespace tioc::solver
