# SPDX-License-Identifier: MIT
# What `cmake --install` copies, in two components: the program with what belongs to it, and the
# library for find_package(tessera).
include(CMakePackageConfigHelpers)

install(TARGETS tessera RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY slurm hostfiles DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera COMPONENT program
        USE_SOURCE_PERMISSIONS)
install(DIRECTORY docs/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
set(share ${CMAKE_INSTALL_DATADIR})
set(completions src/cli/completions)
install(FILES ${completions}/tessera.bash DESTINATION ${share}/bash-completion/completions RENAME tessera
        COMPONENT program)
install(FILES ${completions}/_tessera DESTINATION ${share}/zsh/site-functions COMPONENT program)
install(FILES ${completions}/tessera.fish DESTINATION ${share}/fish/vendor_completions.d COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# Static libraries of the modules (docs/decisions/0027 says why static), and the headers of include/tessera. Users
# link tessera::tessera, or with ranks tessera::mpi.
set(library base puzzle pdb heuristic search protocol threads model solver)
list(TRANSFORM library PREPEND tessera_ OUTPUT_VARIABLE targets)
add_library(tessera_tessera INTERFACE)
set_target_properties(tessera_tessera PROPERTIES EXPORT_NAME tessera)
target_link_libraries(tessera_tessera INTERFACE tessera_solver)
install(TARGETS ${targets} tessera_tessera EXPORT tesseraTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        PATTERN mpi.hpp EXCLUDE)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package} COMPONENT library)
if(TESSERA_WITH_MPI)
  add_library(tessera_mpi INTERFACE)
  set_target_properties(tessera_mpi PROPERTIES EXPORT_NAME mpi)
  target_link_libraries(tessera_mpi INTERFACE tessera_cluster)
  install(TARGETS tessera_census tessera_cluster tessera_mpi EXPORT tesseraMpiTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  install(FILES include/tessera/mpi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera COMPONENT library)
  install(EXPORT tesseraMpiTargets NAMESPACE tessera:: DESTINATION ${package} COMPONENT library)
  list(APPEND targets tessera_cluster)
endif()

configure_package_config_file(cmake/tesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)

# What has to be built for it: not the tests. Without them, the target `install` builds all by itself.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ${TESSERA_BUILD_TESTS})
add_custom_target(installed DEPENDS tessera ${targets})
foreach(target pages tessera_python)
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()

# Debian packages: tessera, the library as libtessera-dev, the Python package as python3-tessera.
# `scripts/package` makes and tries them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_CONTACT "The tessera authors <authors@tessera.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tessera)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "${PROJECT_DESCRIPTION}\nFewest moves, proven, with any number of cores and hosts.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtessera-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Library of tessera, for find_package(tessera) in CMake")
if(TARGET tessera_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tessera)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}\nPackage for Python 3.")
endif()
if(TESSERA_WITH_MPI)
  # Not needed by a run without mpirun; apt-get installs it unless told not to.
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS openmpi-bin)
endif()
include(CPack)
