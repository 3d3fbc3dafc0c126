# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: component `runtime` runs packages (runtime/api), component `compiler` makes
# them and has what backends of others are built with: find_package(Tenon).
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tenon)

configure_package_config_file(cmake/TenonConfig.cmake.in TenonConfig.cmake
  INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(TenonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/TenonConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/TenonConfigVersion.cmake
  cmake/TenonPlugin.cmake
  DESTINATION ${config_dir} COMPONENT compiler)

install(TARGETS TenonCompiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compiler)
foreach(program tenon-cli tenon-opt)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
  endif()
endforeach()

# What a backend may include (scripts/check-layers), written or generated.
foreach(folder support hardware planning ir package backend/api backend/patterns)
  get_filename_component(parent ${folder} DIRECTORY)
  foreach(root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${root}/${folder}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon/${parent} COMPONENT compiler
      FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc"
      PATTERN "*Test*.h" EXCLUDE PATTERN "*_generated.h" EXCLUDE
      PATTERN testing EXCLUDE PATTERN CMakeFiles EXCLUDE PATTERN lit EXCLUDE)
  endforeach()
endforeach()
# Library style: an NPU as a table needs these and no MLIR.
install(FILES backend/library/Npu.h backend/library/Views.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon/backend/library COMPONENT compiler)
