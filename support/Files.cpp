// SPDX-License-Identifier: Apache-2.0
// Whole-file reads and atomic whole-file writes, on POSIX.
#include "support/Files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tenon {
namespace {

/// Closes a descriptor at the end of its scope.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};

Expected<void> writeAll(int fd, ByteSpan bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail("{}", std::strerror(errno));
    done += static_cast<size_t>(n);
  }
  return {};
}

} // namespace

Expected<Bytes> readFile(const std::string &path, uint64_t limitBytes) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat info;
  if (file.fd < 0 || ::fstat(file.fd, &info) < 0)
    return fail("{}: {}", path, std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    return fail("{}: not a regular file", path);
  if (static_cast<uint64_t>(info.st_size) > limitBytes)
    return fail("{}: {} bytes exceed the limit of {}", path, info.st_size, limitBytes);
  Bytes bytes(static_cast<size_t>(info.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail("{}: {}", path, std::strerror(errno));
    if (n == 0)
      break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

Expected<void> writeFile(const std::string &path, ByteSpan bytes) {
  std::string temporary = path + ".XXXXXX";
  Descriptor file{::mkstemp(temporary.data())};
  if (file.fd < 0)
    return fail("{}: {}", path, std::strerror(errno));
  mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file.fd, 0666 & ~mask);
  auto written = writeAll(file.fd, bytes);
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  std::string reason = written ? std::strerror(errno) : written.error().message;
  ::unlink(temporary.c_str());
  return fail("{}: {}", path, reason);
}

} // namespace tenon
