// SPDX-License-Identifier: Apache-2.0
// C API: packages and what they say of their tensors.
#include "runtime/api/Guard.h"
#include "runtime/api/Handles.h"
#include "support/Files.h"

using namespace tenon;
using namespace tenon::runtime;

namespace {

Result<void> openBytes(ByteSpan bytes, tenon_package **package) {
  auto loaded = LoadedPackage::read(bytes);
  if (!loaded)
    return tl::unexpected(loaded.error());
  *package = new tenon_package{std::move(*loaded)};
  return {};
}

Result<void> openFile(const char *path, tenon_package **package) {
  auto bytes = readFile(path, package::kMaxFileBytes);
  if (!bytes)
    return failure(TENON_INVALID_ARGUMENT, bytes.error());
  auto opened = openBytes(*bytes, package);
  if (!opened)
    return failure(opened.error().status, "{}: {}", path, opened.error().message);
  return {};
}

void describe(const package::Tensor &tensor, tenon_tensor_info &info) {
  info.name = tensor.name.c_str();
  info.type = static_cast<tenon_type>(tensor.type);
  info.rank = static_cast<uint32_t>(tensor.shape.size());
  info.shape = tensor.shape.data();
  info.size_bytes = *sizeOf(tensor);
  info.scale = tensor.scale;
  info.zero_point = tensor.zeroPoint;
}

/// Describes tensor \p index of \p edge, the network's inputs or outputs.
tenon_status describe(const tenon_package *handle, std::vector<uint32_t> package::Package::*edge,
                      const char *what, size_t index, tenon_tensor_info *info) {
  return guarded([&]() -> Result<void> {
    if (!handle || !info)
      return failure(TENON_INVALID_ARGUMENT, "package or info is NULL");
    const package::Package &package = handle->loaded->package;
    if (index >= (package.*edge).size())
      return failure(TENON_INVALID_ARGUMENT, "{} {} of {}", what, index, (package.*edge).size());
    describe(package.tensors[(package.*edge)[index]], *info);
    return {};
  });
}

} // namespace

const char *tenon_version(void) { return TENON_VERSION; }

const char *tenon_last_error(void) { return lastError(); }

tenon_status tenon_package_open(const char *path, tenon_package **package) {
  return guarded([&]() -> Result<void> {
    if (!path || !package)
      return failure(TENON_INVALID_ARGUMENT, "path or package is NULL");
    return openFile(path, package);
  });
}

tenon_status tenon_package_open_memory(const void *bytes, size_t size, tenon_package **package) {
  return guarded([&]() -> Result<void> {
    if (!bytes || !package)
      return failure(TENON_INVALID_ARGUMENT, "bytes or package is NULL");
    return openBytes(ByteSpan(static_cast<const uint8_t *>(bytes), size), package);
  });
}

void tenon_package_close(tenon_package *package) { delete package; }

size_t tenon_package_input_count(const tenon_package *package) {
  return package ? package->loaded->package.inputs.size() : 0;
}

size_t tenon_package_output_count(const tenon_package *package) {
  return package ? package->loaded->package.outputs.size() : 0;
}

tenon_status tenon_package_input(const tenon_package *package, size_t index,
                                 tenon_tensor_info *info) {
  return describe(package, &package::Package::inputs, "input", index, info);
}

tenon_status tenon_package_output(const tenon_package *package, size_t index,
                                  tenon_tensor_info *info) {
  return describe(package, &package::Package::outputs, "output", index, info);
}
