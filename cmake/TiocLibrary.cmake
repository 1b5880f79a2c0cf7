# tioc_library(NAME SOURCES… [USES LAYER…])
#
# Makes the library tioc_NAME of the folder NAME. Its headers are included as "NAME/file.hpp" and nothing else of the source
# tree is on the include path, except what the layers in USES offer: an include against the layering does not build.
function(tioc_library name)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${root}/${name} SYMBOLIC)
  add_library(tioc_${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(tioc_${name} PUBLIC ${root})
  target_link_libraries(tioc_${name} PRIVATE tioc_warnings)
  foreach(layer IN LISTS ARG_USES)
    target_link_libraries(tioc_${name} PUBLIC tioc_${layer})
  endforeach()
endfunction()
