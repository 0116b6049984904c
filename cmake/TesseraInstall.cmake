# SPDX-License-Identifier: MIT
# What `cmake --install` copies, in two components: the program with what belongs to it, and the
# library for find_package(tessera), which knows no MPI.
include(CMakePackageConfigHelpers)

install(TARGETS tessera RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY slurm hostfiles DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera COMPONENT program
        USE_SOURCE_PERMISSIONS)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The modules that another program may link, each as tessera::MODULE; tessera::tessera is all of them.
set(library base puzzle census pdb heuristic search threads model)
list(TRANSFORM library PREPEND tessera_ OUTPUT_VARIABLE targets)
add_library(tessera_tessera INTERFACE)
set_target_properties(tessera_tessera PROPERTIES EXPORT_NAME tessera)
target_link_libraries(tessera_tessera INTERFACE ${targets})
install(TARGETS ${targets} tessera_tessera EXPORT tesseraTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
foreach(module ${library})
  install(DIRECTORY include/tessera/${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
          COMPONENT library)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(cmake/tesseraConfig.cmake.in ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)
