// SPDX-License-Identifier: Apache-2.0
// Links an object file into a shared image with LLD as a library.
#include "backend/host/ObjectCode.h"

#include <mutex>

#include "hostkernels/ImportList.h"
#include "lld/Common/Driver.h"
#include "support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

namespace tenon::host {
namespace {

/// A file name that is free, removed with this object.
struct TemporaryFile {
  llvm::SmallString<128> path;
  std::optional<llvm::FileRemover> remover;

  static Expected<TemporaryFile> create(const char *suffix) {
    TemporaryFile file;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("tenon-host", suffix, file.path))
      return fail("no temporary file: {}; set TMPDIR to a folder that can be written",
                  error.message());
    file.remover.emplace(file.path);
    return file;
  }
};

/// LLD keeps global state: one link at a time.
Expected<void> runLinker(const std::string &object, const std::string &image) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const char *arguments[] = {"ld.lld",          "-shared",          "--strip-all",
                             "--build-id=none", "--hash-style=gnu", "--threads=1",
                             "-znow",           "-znoexecstack",    "-o",
                             image.c_str(),     object.c_str()};
  std::string output;
  llvm::raw_string_ostream stream(output);
  lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return fail("LLD does not link the host code: {}", output.substr(0, output.find('\n')));
  return {};
}

} // namespace

Expected<Bytes> linkImage(ByteSpan object) {
  auto input = TemporaryFile::create("o");
  auto output = input ? TemporaryFile::create("so") : tl::unexpected(input.error());
  if (!output)
    return tl::unexpected(output.error());
  const std::string objectPath(input->path), imagePath(output->path);
  auto linked =
      writeFile(objectPath, object).and_then([&] { return runLinker(objectPath, imagePath); });
  if (!linked)
    return tl::unexpected(linked.error());
  auto image = readFile(imagePath);
  if (!image)
    return image;
  if (auto checked = hostkernels::checkImports(*image); !checked)
    return tl::unexpected(checked.error());
  return image;
}

} // namespace tenon::host
