# SPDX-License-Identifier: Apache-2.0
# tenon_lit_tests(TOOLS...): the *.mlir files of this folder as one ctest, run by lit. A file's
# RUN lines may name tenon-opt, FileCheck, not, split-file and the targets given.
find_program(LIT NAMES lit-22 REQUIRED)
set(TENON_LIT_CONFIG ${CMAKE_CURRENT_LIST_DIR}/lit.cfg.py)

function(tenon_lit_tests)
  cmake_parse_arguments(ARG "" "" "DEFINES" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(site ${CMAKE_CURRENT_BINARY_DIR}/lit)
  set(defines "")
  foreach(define ${ARG_DEFINES})
    string(APPEND defines "config.substitutions.append(('%${define}', '$<TARGET_FILE:${define}>'))\n")
  endforeach()
  file(GENERATE OUTPUT ${site}/lit.site.cfg.py CONTENT
"config.name = '${folder}'
config.test_source_root = '${CMAKE_CURRENT_SOURCE_DIR}'
config.test_exec_root = '${site}/out'
config.substitutions = []
${defines}config.tools = ['$<TARGET_FILE_DIR:tenon-opt>', '${LLVM_TOOLS_BINARY_DIR}']
lit_config.load_config(config, '${TENON_LIT_CONFIG}')
")
  add_test(NAME lit/${folder} COMMAND ${LIT} -v -j2 ${site})
  set_tests_properties(lit/${folder} PROPERTIES TIMEOUT 300)
endfunction()
