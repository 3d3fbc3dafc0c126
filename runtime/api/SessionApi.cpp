// SPDX-License-Identifier: Apache-2.0
// C API: sessions.
#include "runtime/api/Guard.h"
#include "runtime/api/Handles.h"

using namespace tenon::runtime;

namespace {

Result<void> create(const tenon_package *package, const char *const *devices, size_t device_count,
                    tenon_session **session) {
  if (!package || !session || (device_count && !devices))
    return failure(TENON_INVALID_ARGUMENT, "package, devices or session is NULL");
  std::vector<std::string> uris;
  for (size_t i = 0; i < device_count; ++i) {
    if (!devices[i])
      return failure(TENON_INVALID_ARGUMENT, "device {} is NULL", i);
    uris.push_back(devices[i]);
  }
  auto created = Session::create(package->loaded, uris);
  if (!created)
    return tl::unexpected(created.error());
  *session = new tenon_session{std::move(*created)};
  return {};
}

/// Calls \p body with the session, or fails if \p handle is null.
template <typename Body> tenon_status withSession(const tenon_session *handle, Body &&body) {
  return guarded([&]() -> Result<void> {
    if (!handle)
      return failure(TENON_INVALID_ARGUMENT, "session is NULL");
    return body(*handle->session);
  });
}

/// Stores the value of \p result in \p to.
template <typename T> Result<void> store(Result<T> result, T *to) {
  if (!result)
    return tl::unexpected(result.error());
  *to = *result;
  return {};
}

} // namespace

tenon_status tenon_session_create(const tenon_package *package, const char *const *devices,
                                  size_t device_count, tenon_session **session) {
  return guarded([&] { return create(package, devices, device_count, session); });
}

void tenon_session_destroy(tenon_session *session) { delete session; }

tenon_status tenon_session_input(tenon_session *session, size_t index, void **data) {
  return withSession(session, [&](Session &value) -> Result<void> {
    if (!data)
      return failure(TENON_INVALID_ARGUMENT, "data is NULL");
    return store(value.input(index), data);
  });
}

tenon_status tenon_session_output(tenon_session *session, size_t index, void **data) {
  return withSession(session, [&](Session &value) -> Result<void> {
    if (!data)
      return failure(TENON_INVALID_ARGUMENT, "data is NULL");
    return store(value.output(index), data);
  });
}

tenon_status tenon_session_bind_input(tenon_session *session, size_t index, const void *data,
                                      size_t size) {
  return withSession(session, [&](Session &value) { return value.bindInput(index, data, size); });
}

tenon_status tenon_session_bind_output(tenon_session *session, size_t index, void *data,
                                       size_t size) {
  return withSession(session, [&](Session &value) { return value.bindOutput(index, data, size); });
}

tenon_status tenon_session_run(tenon_session *session) {
  return withSession(session, [](Session &value) { return value.run(); });
}

size_t tenon_session_step_count(const tenon_session *session) {
  return session ? session->session->stepCount() : 0;
}

tenon_status tenon_session_step(const tenon_session *session, size_t index,
                                tenon_step_profile *profile) {
  return withSession(session, [&](const Session &value) -> Result<void> {
    if (!profile)
      return failure(TENON_INVALID_ARGUMENT, "profile is NULL");
    return store(value.profile(index), profile);
  });
}
