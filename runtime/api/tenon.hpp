// SPDX-License-Identifier: Apache-2.0
// C++20 over tenon.h: handles that close themselves, failures as exceptions.
#pragma once
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include("tenon.h")
#include "tenon.h"
#else
#include "runtime/api/tenon.h"
#endif

namespace tenon {

/// A call of the C API that failed; what() is tenon_last_error().
struct RuntimeError : std::runtime_error {
  explicit RuntimeError(tenon_status status)
      : std::runtime_error(tenon_last_error()), status(status) {}
  tenon_status status;
};

/// Throws RuntimeError unless \p status is TENON_OK.
inline void check(tenon_status status) {
  if (status != TENON_OK)
    throw RuntimeError(status);
}

/// An open package. Movable; const calls may come from several threads.
class RuntimePackage {
public:
  static RuntimePackage open(const std::string &path) {
    tenon_package *package = nullptr;
    check(tenon_package_open(path.c_str(), &package));
    return RuntimePackage(package);
  }
  static RuntimePackage open(std::span<const uint8_t> bytes) {
    tenon_package *package = nullptr;
    check(tenon_package_open_memory(bytes.data(), bytes.size(), &package));
    return RuntimePackage(package);
  }

  size_t inputCount() const { return tenon_package_input_count(get()); }
  size_t outputCount() const { return tenon_package_output_count(get()); }
  /// Pointers in the result live as long as this package.
  tenon_tensor_info input(size_t index) const {
    tenon_tensor_info info;
    check(tenon_package_input(get(), index, &info));
    return info;
  }
  tenon_tensor_info output(size_t index) const {
    tenon_tensor_info info;
    check(tenon_package_output(get(), index, &info));
    return info;
  }
  const tenon_package *get() const { return handle.get(); }

private:
  explicit RuntimePackage(tenon_package *package) : handle(package, tenon_package_close) {}
  std::unique_ptr<tenon_package, void (*)(tenon_package *)> handle;
};

/// A network ready to run. Movable; calls from several threads wait for each other.
class RuntimeSession {
public:
  /// \p devices are URIs; see tenon_session_create.
  explicit RuntimeSession(const RuntimePackage &package,
                          const std::vector<std::string> &devices = {})
      : handle(create(package, devices), tenon_session_destroy) {}

  /// The session's own buffers, size_bytes of the tensor.
  void *input(size_t index) {
    void *data = nullptr;
    check(tenon_session_input(handle.get(), index, &data));
    return data;
  }
  void *output(size_t index) {
    void *data = nullptr;
    check(tenon_session_output(handle.get(), index, &data));
    return data;
  }
  /// Uses the caller's memory, which must live until bound anew.
  void bindInput(size_t index, std::span<const uint8_t> memory) {
    check(tenon_session_bind_input(handle.get(), index, memory.data(), memory.size()));
  }
  void bindOutput(size_t index, std::span<uint8_t> memory) {
    check(tenon_session_bind_output(handle.get(), index, memory.data(), memory.size()));
  }
  void run() { check(tenon_session_run(handle.get())); }

  /// Steps of the last run, in execution order.
  std::vector<tenon_step_profile> profile() const {
    std::vector<tenon_step_profile> steps(tenon_session_step_count(handle.get()));
    for (size_t i = 0; i < steps.size(); ++i)
      check(tenon_session_step(handle.get(), i, &steps[i]));
    return steps;
  }

private:
  static tenon_session *create(const RuntimePackage &package,
                               const std::vector<std::string> &devices) {
    std::vector<const char *> uris;
    for (const std::string &uri : devices)
      uris.push_back(uri.c_str());
    tenon_session *session = nullptr;
    check(tenon_session_create(package.get(), uris.data(), uris.size(), &session));
    return session;
  }
  std::unique_ptr<tenon_session, void (*)(tenon_session *)> handle;
};

} // namespace tenon
