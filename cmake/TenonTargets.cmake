# SPDX-License-Identifier: Apache-2.0
# The few kinds of target the tree is made of.
set(TENON_WARNINGS -Wall -Wextra -Wno-unused-parameter -Werror=return-type)

add_library(tenon_flags INTERFACE)
target_include_directories(tenon_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(tenon_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${TENON_WARNINGS}>)

add_library(tenon_mlir_flags INTERFACE)
target_link_libraries(tenon_mlir_flags INTERFACE tenon_flags)
target_include_directories(tenon_mlir_flags SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(TENON_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(tenon_mlir_flags INTERFACE ${TENON_LLVM_DEFINITIONS})

# tenon_library(NAME SOURCES ... DEPS ...): a static library without MLIR.
function(tenon_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tenon_flags ${ARG_DEPS})
endfunction()

# One precompiled header serves every MLIR file (cmake/TenonPch.h).
add_library(tenon_mlir_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/TenonPch.cpp)
target_link_libraries(tenon_mlir_pch PUBLIC tenon_mlir_flags tl::expected fmt::fmt)
target_precompile_headers(tenon_mlir_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/TenonPch.h)

# tenon_mlir_library(NAME SOURCES ... DEPS ...): objects that become part of
# libTenonCompiler, so that one copy of every type identity exists in a process.
function(tenon_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tenon_mlir_flags tl::expected fmt::fmt ${ARG_DEPS})
  target_precompile_headers(${name} REUSE_FROM tenon_mlir_pch)
  set_property(GLOBAL APPEND PROPERTY TENON_COMPILER_PARTS ${name})
endfunction()

# tenon_test(NAME SOURCES ... DEPS ...): a GoogleTest program, its cases known to ctest.
function(tenon_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tenon_flags ${ARG_DEPS} GTest::gtest_main)
  # LLVM's allocators poison memory in headers but not in Debian's libraries, which confuses
  # AddressSanitizer.
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 ENVIRONMENT ASAN_OPTIONS=allow_user_poisoning=0)
endfunction()
