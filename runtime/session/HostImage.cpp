// SPDX-License-Identifier: Apache-2.0
// Puts host code into an anonymous file and hands that to the dynamic loader.
#include "runtime/session/HostImage.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

#include "hostkernels/HostCpu.h"
#include "hostkernels/ImportList.h"

namespace tenon::runtime {
namespace {

/// Host code finds the C library through the global scope. If this library was itself loaded
/// locally (Python's ctypes), neither it nor what it needs is there: put them there.
void promoteToGlobalScope() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info self;
    if (dladdr(reinterpret_cast<void *>(&promoteToGlobalScope), &self) && self.dli_fname)
      dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  });
}

/// An executable anonymous file; kernels that know MFD_EXEC may want it said.
int createFile() {
#ifdef MFD_EXEC
  if (int file = memfd_create("tenon-host-code", MFD_CLOEXEC | MFD_EXEC);
      file >= 0 || errno != EINVAL)
    return file;
#endif
  return memfd_create("tenon-host-code", MFD_CLOEXEC);
}

bool writeAll(int file, ByteSpan bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return false;
    bytes = bytes.subspan(std::max<ssize_t>(written, 0));
  }
  return true;
}

Result<const package::HostCode *> choose(const std::vector<package::HostCode> &candidates) {
  std::string reason = "package holds no host code";
  for (const package::HostCode &code : candidates) {
    auto ok = hostkernels::checkThisCpu(code.triple, code.features);
    if (ok)
      return &code;
    reason = ok.error().message;
  }
  return failure(TENON_BAD_PACKAGE, "{}", reason);
}

} // namespace

Result<std::unique_ptr<HostImage>> HostImage::load(const Bytes &image) {
  int file = createFile();
  if (file < 0)
    return failure(TENON_INTERNAL, "no memory file for host code: {}", std::strerror(errno));
  std::unique_ptr<HostImage> loaded(new HostImage(file, nullptr));
  if (!writeAll(file, image))
    return failure(TENON_OUT_OF_MEMORY, "memory file for host code: {}", std::strerror(errno));
  promoteToGlobalScope();
  loaded->handle = dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded->handle)
    return failure(TENON_BAD_PACKAGE, "host code does not load: {}", dlerror());
  return loaded;
}

Result<std::unique_ptr<HostImage>>
HostImage::load(const std::vector<package::HostCode> &candidates) {
  auto code = choose(candidates);
  if (!code)
    return tl::unexpected(code.error());
  if (auto ok = hostkernels::checkImports((*code)->image); !ok)
    return failure(TENON_BAD_PACKAGE, ok.error());
  return load((*code)->image);
}

HostImage::~HostImage() {
  if (handle)
    dlclose(handle);
  close(file);
}

Result<HostEntry> HostImage::findEntry(const std::string &symbol) const {
  void *entry = dlsym(handle, symbol.c_str());
  if (!entry)
    return failure(TENON_BAD_PACKAGE, "host code has no entry \"{}\"", symbol);
  return reinterpret_cast<HostEntry>(entry);
}

} // namespace tenon::runtime
