# tioc_generate(TARGET MODEL file [EMIT json|ttcn3|cpp …] [OUTPUT folder] [OPTIONS …])
#
# Generates test suites from a model when the model or anything it imports has changed. EMIT names the forms (json), OUTPUT the
# folder (TARGET in the binary folder), OPTIONS go to `tioc gen`, for example `--suite Regression`. Targets that use what
# is generated depend on TARGET; its property TIOC_OUTPUT is the folder.
function(tioc_generate target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;OUTPUT" "EMIT;OPTIONS")
  _tioc_prepare(tioc_generate ${target})
  if(NOT ARG_EMIT)
    set(ARG_EMIT json)
  endif()
  _tioc_command(BYPRODUCTS)
  add_custom_target(${target} ALL DEPENDS ${stamp})
  set_target_properties(${target} PROPERTIES TIOC_OUTPUT ${ARG_OUTPUT})
endfunction()

# tioc_add_tests(TARGET MODEL file SUT how [VIRTUAL_TIME] [UNIT seconds] [TOLERANCE units] [MAIN file] [OUTPUT folder] [OPTIONS …])
#
# Generates the model's suites as GoogleTest files, builds the program TARGET from them and gives every test to CTest. SUT says
# how a test reaches the system: `exec:COMMAND` or `tcp:HOST:PORT`, generator expressions included. MAIN is a file with a `main`
# of your own, for an adapter that does not speak tio/1; then SUT may be missing. The environment (TIOC_SUT, TIOC_TIME,
# TIOC_UNIT, TIOC_TOLERANCE) has the last word. A test that is inconclusive shows as skipped.
function(tioc_add_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "VIRTUAL_TIME" "MODEL;OUTPUT;SUT;UNIT;TOLERANCE;MAIN" "OPTIONS")
  _tioc_prepare(tioc_add_tests ${target})
  if(NOT ARG_SUT AND NOT ARG_MAIN)
    message(FATAL_ERROR "tioc_add_tests(${target}): say with SUT how to reach the system, or give a MAIN of your own")
  endif()
  # The names of the files hang on the suites that the model declares, so they are asked for when CMake runs.
  set(ARG_EMIT cpp)
  list(APPEND ARG_OPTIONS --cases-per-file 0)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARG_MODEL})
  execute_process(
    COMMAND ${TIOC_EXECUTABLE} gen ${ARG_MODEL} --emit cpp -o ${ARG_OUTPUT} ${ARG_OPTIONS} --list-outputs
    OUTPUT_VARIABLE files ERROR_VARIABLE problems RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "tioc_add_tests(${target}):\n${problems}")
  endif()
  string(REGEX REPLACE "\n$" "" files "${files}")
  string(REPLACE "\n" ";" files "${files}")
  _tioc_command(BYPRODUCTS ${files})

  set(sources ${files})
  list(FILTER sources INCLUDE REGEX "_test[0-9]+\\.cpp$")
  if(NOT ARG_MAIN)
    set(mains ${files})
    list(FILTER mains INCLUDE REGEX "_main\\.cpp$")
    list(GET mains 0 ARG_MAIN)
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # The stamp is among the sources, so that every generator runs the compiler first.
  add_executable(${target} ${sources} ${ARG_MAIN} ${stamp})
  target_include_directories(${target} PRIVATE ${ARG_OUTPUT}/cpp)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_link_libraries(${target} PRIVATE GTest::gtest)
  if(ARG_VIRTUAL_TIME)
    set(ARG_TIME virtual)
  endif()
  foreach(name SUT TIME UNIT TOLERANCE)
    if(ARG_${name})
      target_compile_definitions(${target} PRIVATE "TIOC_DEFAULT_${name}=\"${ARG_${name}}\"")
    endif()
  endforeach()
  gtest_discover_tests(${target})
endfunction()

# Makes paths of the caller's arguments absolute and names the stamp.
macro(_tioc_prepare function target)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${target}): what is '${ARG_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "${function}(${target}): there is no MODEL")
  endif()
  get_filename_component(ARG_MODEL "${ARG_MODEL}" ABSOLUTE)
  if(NOT ARG_OUTPUT)
    set(ARG_OUTPUT ${target}.dir)
  endif()
  get_filename_component(ARG_OUTPUT "${ARG_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  set(stamp ${ARG_OUTPUT}/${target}.stamp)
endmacro()

# The command that renews the stamp; the files themselves are written only when they change, so nothing is built in vain.
macro(_tioc_command)
  string(REPLACE ";" "," forms "${ARG_EMIT}")
  file(MAKE_DIRECTORY ${ARG_OUTPUT})
  add_custom_command(
    OUTPUT ${stamp}
    ${ARGN}
    COMMAND tioc::tioc gen ${ARG_MODEL} --emit ${forms} -o ${ARG_OUTPUT} ${ARG_OPTIONS} --quiet --stamp ${stamp} -MF ${stamp}.d
    DEPENDS ${ARG_MODEL} tioc::tioc
    DEPFILE ${stamp}.d
    COMMENT "Generating tests from ${ARG_MODEL}"
    VERBATIM)
endmacro()
