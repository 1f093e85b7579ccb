# SPDX-License-Identifier: Apache-2.0
# cmake --install: the static libraries, their headers, the command, and a package for find_package(rung), which brings
# rung_add_registry and the generator along, so that a registry of one's own is compiled against an installed Rung.

include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/rung")

set_target_properties(rung_rk_proof PROPERTIES EXCLUDE_FROM_ALL OFF)
install(TARGETS ${RUNG_LIBRARIES} EXPORT rungTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT rungTargets NAMESPACE rung:: DESTINATION "${package}")
install(DIRECTORY src/include/rung generated/include/rk DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES components/factor_model.h tfa/tfa.h tfa/htfa.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS rung_probe RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/rung")
if(TARGET rung_cli)
  install(TARGETS rung_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# The generator, and what its manifest counts as its input, in the layout that it has in the source tree.
install(DIRECTORY codegen DESTINATION "${package}" FILES_MATCHING PATTERN "*.py" PATTERN "*.j2" PATTERN "*.json")
install(FILES src/include/rung/cpu_features.h DESTINATION "${package}/src/include/rung")
install(FILES cmake/RungRegistry.cmake cmake/RungManifest.cmake cmake/RungPython.cmake cmake/RungCompile.cmake
  cmake/RungCuda.cmake cmake/RungImageArray.cmake cmake/RungImageEntries.cmake cmake/image.c.in DESTINATION "${package}/cmake")

file(WRITE "${PROJECT_BINARY_DIR}/rungConfig.cmake" [[
if(NOT CMAKE_C_COMPILER_LOADED)
  set(rung_FOUND FALSE)
  set(rung_NOT_FOUND_MESSAGE "rung compiles C: the project's languages must have C in them")
  return()
endif()
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)
if(NOT DEFINED RUNG_CODEGEN)
  set(RUNG_CODEGEN auto)
endif()
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/rungTargets.cmake")
if(NOT TARGET rung_compile) # of another directory that has found the package too
  include("${CMAKE_CURRENT_LIST_DIR}/cmake/RungCompile.cmake")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/cmake/RungRegistry.cmake")
cmake_policy(POP)
]])
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rungConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rungConfig.cmake" "${PROJECT_BINARY_DIR}/rungConfigVersion.cmake" DESTINATION "${package}")
