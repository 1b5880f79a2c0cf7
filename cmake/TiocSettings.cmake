# Compiler settings that hold for all of our code.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# address: AddressSanitizer and UndefinedBehaviorSanitizer together; thread: ThreadSanitizer.
set(TIOC_SANITIZE "" CACHE STRING "Sanitizers to build with: address or thread")
if(TIOC_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TIOC_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(TIOC_SANITIZE)
  message(FATAL_ERROR "TIOC_SANITIZE must be empty, 'address' or 'thread', not '${TIOC_SANITIZE}'")
endif()

# Warnings of our own code; generated code is compiled without them.
add_library(tioc_warnings INTERFACE)
# Designated initialisers that leave the rest to the defaults of the struct are meant.
target_compile_options(tioc_warnings INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers
  # GCC 12 sees overlaps in std::string concatenation that are not there (GCC bug 105651).
  -Wno-restrict)

# Programs look here for libtioc_jit, which they load when they first compile an edge.
set(CMAKE_BUILD_RPATH ${PROJECT_BINARY_DIR}/runtime)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/tioc")
