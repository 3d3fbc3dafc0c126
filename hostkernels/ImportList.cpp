// SPDX-License-Identifier: Apache-2.0
// Reads the dynamic symbol table of an ELF image without trusting a byte of it.
#include "hostkernels/ImportList.h"

#include <elf.h>

#include <cstring>
#include <string>

namespace tenon::hostkernels {
namespace {

Expected<Elf64_Ehdr> readHeader(ByteSpan image) {
  auto header = readAt<Elf64_Ehdr>(image, 0);
  if (!header)
    return fail(header.error(), "host code");
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return fail("host code: byte 0: not a 64-bit little-endian ELF file");
  if (header->e_type != ET_DYN)
    return fail("host code: byte 16: ELF type {} is not ET_DYN", header->e_type);
  return header;
}

Expected<Elf64_Shdr> readSection(ByteSpan image, const Elf64_Ehdr &header, uint32_t index) {
  if (index >= header.e_shnum)
    return fail("host code: section {} of {}", index, header.e_shnum);
  if (header.e_shoff > image.size())
    return fail("host code: sections at byte {}, the image ends at {}", header.e_shoff,
                image.size());
  return readAt<Elf64_Shdr>(image, header.e_shoff + uint64_t(index) * sizeof(Elf64_Shdr));
}

/// The NUL-terminated text at \p offset of the string table \p strings.
Expected<std::string> readName(ByteSpan image, const Elf64_Shdr &strings, uint64_t offset) {
  if (strings.sh_offset > image.size() || strings.sh_size > image.size() - strings.sh_offset)
    return fail("host code: string table at byte {} exceeds the image", strings.sh_offset);
  ByteSpan table = image.subspan(strings.sh_offset, strings.sh_size);
  auto end =
      offset < table.size() ? std::find(table.begin() + offset, table.end(), 0) : table.end();
  if (end == table.end())
    return fail("host code: no name at byte {}", strings.sh_offset + offset);
  return std::string(table.begin() + offset, end);
}

Expected<void> checkSymbols(ByteSpan image, const Elf64_Shdr &section, const Elf64_Shdr &strings) {
  for (uint64_t at = sizeof(Elf64_Sym); at < section.sh_size; at += sizeof(Elf64_Sym)) {
    if (section.sh_offset > image.size())
      return fail("host code: symbols at byte {} exceed the image", section.sh_offset);
    auto symbol = readAt<Elf64_Sym>(image, section.sh_offset + at);
    if (!symbol)
      return fail(symbol.error(), "host code");
    auto name = readName(image, strings, symbol->st_name);
    if (!name)
      return tl::unexpected(name.error());
    if (symbol->st_shndx == SHN_UNDEF && !isAllowedImport(*name))
      return fail("host code: imports \"{}\", which host code may not", *name);
  }
  return {};
}

Expected<void> checkDynamic(ByteSpan image, const Elf64_Shdr &section) {
  for (uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Dyn)) {
    if (section.sh_offset > image.size())
      return fail("host code: dynamic table at byte {} exceeds the image", section.sh_offset);
    auto entry = readAt<Elf64_Dyn>(image, section.sh_offset + at);
    if (!entry)
      return fail(entry.error(), "host code");
    if (entry->d_tag == DT_NEEDED)
      return fail("host code: byte {}: needs another library, which host code may not",
                  section.sh_offset + at);
  }
  return {};
}

} // namespace

Expected<void> checkImports(ByteSpan image) {
  auto header = readHeader(image);
  if (!header)
    return tl::unexpected(header.error());
  bool hasSymbols = false;
  for (uint32_t index = 0; index < header->e_shnum; ++index) {
    auto section = readSection(image, *header, index);
    if (!section)
      return fail(section.error(), "host code");
    Expected<void> checked;
    if (section->sh_type == SHT_DYNSYM) {
      auto strings = readSection(image, *header, section->sh_link);
      if (!strings)
        return fail(strings.error(), "host code");
      hasSymbols = true;
      checked = checkSymbols(image, *section, *strings);
    } else if (section->sh_type == SHT_DYNAMIC) {
      checked = checkDynamic(image, *section);
    }
    if (!checked)
      return checked;
  }
  if (!hasSymbols)
    return fail("host code: no dynamic symbol table");
  return {};
}

} // namespace tenon::hostkernels
