# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER= -DOUTPUT= -DFILES=PATH=TARGET;... -P: the files of FOLDER as arrays in a C++ file, each under
# the path TARGET.
set(text "// Generated from ${FOLDER} by EmbedTemplate.cmake; do not edit.
#include \"tools/tenon/NpuTemplate.h\"

namespace tenon::cli {
namespace {
")
set(rows "")
set(index 0)
foreach(entry ${FILES})
  string(REPLACE "=" ";" parts ${entry})
  list(GET parts 0 path)
  list(GET parts 1 target)
  file(READ ${FOLDER}/${path} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND text "constexpr unsigned char kFile${index}[] = {${bytes}};\n")
  string(APPEND rows "      {\"${target}\", {kFile${index}, sizeof(kFile${index})}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND text "
} // namespace

std::span<const TemplateFile> npuTemplate() {
  static const TemplateFile files[] = {
${rows}  };
  return files;
}

} // namespace tenon::cli
")
file(WRITE ${OUTPUT} "${text}")
