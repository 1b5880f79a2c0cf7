#include "runtime/explore/limits.hpp"

#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace tioc::explore {

const char* Watch::check(uint64_t states) {
  if (limits_.states && states >= limits_.states)
    return "states";
  if (limits_.seconds > 0 && seconds() > limits_.seconds)
    return "time";
  if (limits_.interrupted && limits_.interrupted())
    return "interrupted";
  return limits_.bytes && ++calls_ % kPeriod == 0 && residentBytes() > limits_.bytes ? "memory" : nullptr;
}

uint64_t residentBytes() {
  unsigned long long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu %llu", &pages, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t peakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace tioc::explore
