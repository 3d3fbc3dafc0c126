// SPDX-License-Identifier: Apache-2.0
// ELF tables through LLVM's reader, then the numbers of the plug-in's offer.
#include "compiler/PluginFile.h"

#include <algorithm>
#include <filesystem>

#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tenon::compiler {
namespace {

using llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<ELF64LE>;

#if defined(__x86_64__)
constexpr uint16_t kThisMachine = llvm::ELF::EM_X86_64;
#else
constexpr uint16_t kThisMachine = llvm::ELF::EM_AARCH64;
#endif

/// A library that a process must hold once, and the version this compiler has of it.
struct SharedOnce {
  std::string prefix, version, what;
};

const std::vector<SharedOnce> &sharedOnce() {
  static const std::string llvmVersion =
      fmt::format("{}.{}", LLVM_VERSION_MAJOR, LLVM_VERSION_MINOR);
  static const std::vector<SharedOnce> all = {
      {"libMLIR.so.", llvmVersion, "MLIR"},
      {"libLLVM.so.", llvmVersion, "LLVM"},
      {"libTenonCompiler.so.", TENON_ABI, "Tenon's interface"},
  };
  return all;
}

Expected<void> checkNeeded(llvm::StringRef library) {
  for (const SharedOnce &once : sharedOnce()) {
    llvm::StringRef version = library;
    if (!version.consume_front(once.prefix) || version == once.version)
      continue;
    return fail("built with {} {}, this compiler with {}; rebuild the plug-in with {} {}",
                once.what, version.str(), once.version, once.what, once.version);
  }
  return {};
}

std::string textOf(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// The string table that \p entries name; its end is no further than the file's.
Expected<llvm::StringRef> findStrings(const ElfFile &file, ElfFile::Elf_Dyn_Range entries) {
  uint64_t address = 0, sizeBytes = 0;
  for (const auto &entry : entries) {
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      address = entry.getPtr();
    if (entry.getTag() == llvm::ELF::DT_STRSZ)
      sizeBytes = entry.getVal();
  }
  auto begin = file.toMappedAddr(address);
  if (!begin)
    return fail("{}", textOf(begin.takeError()));
  const uint64_t left = file.base() + file.getBufSize() - *begin;
  return llvm::StringRef(reinterpret_cast<const char *>(*begin), std::min(left, sizeBytes));
}

Expected<void> checkAllNeeded(const ElfFile &file) {
  auto entries = file.dynamicEntries();
  if (!entries)
    return fail("{}", textOf(entries.takeError()));
  auto strings = findStrings(file, *entries);
  if (!strings)
    return tl::unexpected(strings.error());
  for (const auto &entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      if (auto ok = checkNeeded(strings->substr(entry.getVal()).split('\0').first); !ok)
        return ok;
  return {};
}

/// Is there a definition of \p name among the symbols that \p section, of kind SHT_DYNSYM, shows?
bool defines(const ElfFile &file, const ElfFile::Elf_Shdr &section, llvm::StringRef name) {
  auto symbols = file.symbols(&section);
  auto strings = file.getStringTableForSymtab(section);
  if (!symbols || !strings) {
    llvm::consumeError(symbols.takeError());
    llvm::consumeError(strings.takeError());
    return false;
  }
  return llvm::any_of(*symbols, [&](const ElfFile::Elf_Sym &symbol) {
    auto own = symbol.getName(*strings);
    if (!own)
      llvm::consumeError(own.takeError());
    else
      return !symbol.isUndefined() && *own == name;
    return false;
  });
}

bool defines(const ElfFile &file, llvm::StringRef name) {
  auto sections = file.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  return llvm::any_of(*sections, [&](const ElfFile::Elf_Shdr &section) {
    return section.sh_type == llvm::ELF::SHT_DYNSYM && defines(file, section, name);
  });
}

/// A library that offers no backend is not loaded: its code has no business here.
Expected<void> checkExports(const ElfFile &file) {
  if (defines(file, "tenon_backend_v1"))
    return {};
  if (defines(file, "tenon_device_v1"))
    return fail("is a device library; name it in TENON_DEVICE_PATH");
  return fail("does not export tenon_backend_v1; it is no backend plug-in");
}

bool isLibraryHere(llvm::StringRef bytes) {
  if (bytes.size() < sizeof(ELF64LE::Ehdr) || !bytes.starts_with("\x7f"
                                                                 "ELF"))
    return false;
  return uint8_t(bytes[llvm::ELF::EI_CLASS]) == llvm::ELF::ELFCLASS64 &&
         uint8_t(bytes[llvm::ELF::EI_DATA]) == llvm::ELF::ELFDATA2LSB;
}

/// Both sides' builds are shown in full: which entry differs is for the reader to see.
std::string describeAbi(const backend::BuildAbi &abi) {
  return fmt::format("LLVM {}.{}{}, strings of {} bytes, layout {:08x}", abi.llvmMajor,
                     abi.llvmMinor, abi.llvmChecks ? " with checks" : "", abi.stringBytes,
                     uint32_t(abi.layout));
}

bool operator==(const backend::BuildAbi &a, const backend::BuildAbi &b) {
  return a.llvmMajor == b.llvmMajor && a.llvmMinor == b.llvmMinor && a.llvmChecks == b.llvmChecks &&
         a.stringBytes == b.stringBytes && a.layout == b.layout;
}

bool isName(llvm::StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::all_of(name, [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || letter == '_' ||
           letter == '-';
  });
}

} // namespace

Expected<void> checkLibraryFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("{}: cannot be read: {}", path, buffer.getError().message());
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  if (!isLibraryHere(bytes))
    return fail("{}: is no 64-bit shared library; build it with tenon_add_backend_plugin", path);
  auto file = ElfFile::create(bytes);
  if (!file)
    return fail("{}: {}", path, textOf(file.takeError()));
  if (file->getHeader().e_type != llvm::ELF::ET_DYN || file->getHeader().e_machine != kThisMachine)
    return fail("{}: is no shared library for this CPU; build it for {}", path, TENON_CPU);
  for (auto check : {checkExports, checkAllNeeded})
    if (auto ok = check(*file); !ok)
      return fail(ok.error(), path);
  return {};
}

Expected<void> checkPlugin(const backend::BackendPlugin *plugin, const std::string &path) {
  if (!plugin)
    return fail("{}: tenon_backend_v1 offers no backend; rebuild the plug-in", path);
  if (plugin->interfaceVersion != backend::kInterfaceVersion)
    return fail("{}: made for backend interface {}, this compiler has {}; rebuild the {}", path,
                plugin->interfaceVersion, backend::kInterfaceVersion,
                plugin->interfaceVersion > backend::kInterfaceVersion ? "compiler" : "plug-in");
  if (!(plugin->abi == backend::kBuildAbi))
    return fail("{}: built with {}; this compiler with {}; rebuild the {}", path,
                describeAbi(plugin->abi), describeAbi(backend::kBuildAbi),
                plugin->abi.llvmMajor > backend::kBuildAbi.llvmMajor
                    ? "compiler with the plug-in's LLVM"
                    : "plug-in with this compiler's headers and its C++ library");
  if (!plugin->name || !plugin->create || !isName(plugin->name))
    return fail("{}: tenon_backend_v1 offers no name of lower-case letters, digits, '_' and '-', "
                "or cannot create; rebuild the plug-in",
                path);
  return {};
}

std::vector<std::string> librariesOf(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return {path};
  std::vector<std::string> libraries;
  for (std::filesystem::directory_iterator at(path, error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".so")
      libraries.push_back(at->path().string());
  std::ranges::sort(libraries);
  return libraries;
}

} // namespace tenon::compiler
