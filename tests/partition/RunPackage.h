// SPDX-License-Identifier: Apache-2.0
// For tests: compile MLIR text for some targets, run the package, return the outputs' bytes.
#pragma once
#include <cstring>
#include <gtest/gtest.h>

#include "compiler/Compiler.h"
#include "runtime/api/tenon.h"

namespace tenon::tests {

/// Compiles \p text for `--target` \p targets with the toy plug-ins.
inline Expected<compiler::Compilation>
compileText(const std::string &text, const std::string &targets, bool exposeEdges = false) {
  auto specs = compiler::parseTargets(targets);
  if (!specs)
    return tl::unexpected(specs.error());
  compiler::CompileOptions options;
  options.targets = *specs;
  options.plugins = {TOY_ALPHA, TOY_BETA, TOY_GAMMA};
  options.exposeEdges = exposeEdges;
  return compiler::compileModel({reinterpret_cast<const uint8_t *>(text.data()), text.size()},
                                "test.mlir", options);
}

/// Runs \p package once through the C API; a test failure and nothing if that fails.
inline std::vector<Bytes> runPackage(const package::Package &package,
                                     const std::vector<Bytes> &inputs) {
  setenv("TENON_DEVICE_PATH", TOY_DEVICES, 1);
  auto bytes = package::write(package);
  EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().message);
  if (!bytes)
    return {};
  tenon_package *opened = nullptr;
  tenon_session *session = nullptr;
  std::vector<Bytes> outputs;
  bool ok = tenon_package_open_memory(bytes->data(), bytes->size(), &opened) == TENON_OK &&
            tenon_session_create(opened, nullptr, 0, &session) == TENON_OK;
  for (size_t i = 0; ok && i < inputs.size(); ++i)
    ok = tenon_session_bind_input(session, i, inputs[i].data(), inputs[i].size()) == TENON_OK;
  ok = ok && tenon_session_run(session) == TENON_OK;
  for (size_t i = 0; ok && i < tenon_package_output_count(opened); ++i) {
    tenon_tensor_info info;
    void *data = nullptr;
    ok = tenon_package_output(opened, i, &info) == TENON_OK &&
         tenon_session_output(session, i, &data) == TENON_OK;
    if (ok)
      outputs.emplace_back(static_cast<uint8_t *>(data),
                           static_cast<uint8_t *>(data) + info.size_bytes);
  }
  EXPECT_TRUE(ok) << tenon_last_error();
  tenon_session_destroy(session);
  tenon_package_close(opened);
  return outputs;
}

template <typename T> Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::vector<std::string> targetsOf(const partition::Report &report) {
  std::vector<std::string> targets;
  for (const partition::PartitionReport &part : report.partitions)
    targets.push_back(part.target);
  return targets;
}

} // namespace tenon::tests
