#include "runtime/eval/jit/jit.hpp"

#include <dlfcn.h>

namespace tioc::eval {

std::unique_ptr<Jit> loadJit(const Layout& layout, bool keepText, std::string& error) {
  // Found by the run path of the program. Never closed: code made by it may outlive any one user.
  void* library = dlopen("libtioc_jit.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = dlerror();
    return nullptr;
  }
  using Make = Jit* (*)(const Layout&, bool, std::string&);
  auto make = reinterpret_cast<Make>(dlsym(library, "tiocMakeJit"));
  if (!make) {
    error = dlerror();
    return nullptr;
  }
  return std::unique_ptr<Jit>(make(layout, keepText, error));
}

} // namespace tioc::eval
