# SPDX-License-Identifier: Apache-2.0
# tenon_add_backend_plugin(NAME SOURCES ... [LIBRARIES ...]): a library for --plugin. It takes types
# and functions of Tenon from libTenonCompiler and shows only tenon_backend_v1, so that a built-in
# backend's functions of the same names stay apart from its own.
function(tenon_add_backend_plugin name)
  tenon_add_module(${name} Tenon::Compiler ${ARGN})
endfunction()

# tenon_add_npu_plugin(NAME SOURCES ... [LIBRARIES ...]): the same for an NPU that is a table
# (backend/library/Npu.h); needs no MLIR.
function(tenon_add_npu_plugin name)
  tenon_add_module(${name} Tenon::Library ${ARGN})
endfunction()

# tenon_add_device(NAME SOURCES ... [LIBRARIES ...]): a library for TENON_DEVICE_PATH, in C or C++.
function(tenon_add_device name)
  tenon_add_module(${name} Tenon::Device ${ARGN})
endfunction()

function(tenon_add_module name base)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} ${base})
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN OFF)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL)
endfunction()
