# What is installed beside the program, and the package that `cpack` makes of it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tioc)
configure_package_config_file(cmake/package/tiocConfig.cmake.in ${PROJECT_BINARY_DIR}/tiocConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tiocConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/tiocConfig.cmake ${PROJECT_BINARY_DIR}/tiocConfigVersion.cmake
  cmake/package/TiocGenerate.cmake DESTINATION ${package_dir})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The tioc developers <tioc@localhost>")
set(CPACK_PACKAGE_FILE_NAME tioc_${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "eclipse-titan, libgtest-dev, cmake")
include(CPack)
