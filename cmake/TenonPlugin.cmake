# SPDX-License-Identifier: Apache-2.0
# tenon_add_backend_plugin(NAME SOURCES ... [LIBRARIES ...]): a library for --plugin. It takes types
# and functions of Tenon from libTenonCompiler and shows only tenon_backend_v1, so that a built-in
# backend's functions of the same names stay apart from its own.
function(tenon_add_backend_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} Tenon::Compiler)
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN OFF)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic -Wl,--exclude-libs,ALL)
endfunction()
