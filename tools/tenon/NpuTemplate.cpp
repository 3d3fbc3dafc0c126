// SPDX-License-Identifier: Apache-2.0
// Fills the template in, beside its place, and moves it there at once.
#include "tools/tenon/NpuTemplate.h"

#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/Files.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxName = 32;

/// A folder that is gone at the end, unless it was moved.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string &beside) : path(beside + ".XXXXXX") {
    made = mkdtemp(path.data()) != nullptr;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (made)
      fs::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string path;
  bool made = false;
};

void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Of a text file with its words put in; binary files hold no such words.
Bytes filled(ByteSpan content, const std::string &name) {
  std::string text(content.begin(), content.end());
  replaceAll(text, "@NAME@", name);
  replaceAll(text, "@VERSION@", TENON_VERSION);
  return {text.begin(), text.end()};
}

Expected<void> writeInto(const std::string &folder, const std::string &name) {
  for (const TemplateFile &file : npuTemplate()) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      return fail("{}: {}", path.parent_path().string(), error.message());
    if (auto written = writeFile(path.string(), filled(file.content, name)); !written)
      return written;
  }
  return {};
}

Expected<void> exists(const std::string &folder) {
  return fail("{}: is there already; name another folder with --output", folder);
}

} // namespace

Expected<void> checkNpuName(const std::string &name, const std::vector<std::string> &taken) {
  const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto isInner = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || !isLetter(name.front()) || !std::ranges::all_of(name, isInner))
    return fail(
        "\"{}\" is no name for an NPU; use lower-case letters, digits and _, a letter first", name);
  if (name.size() > kMaxName)
    return fail("\"{}\": {} letters exceed {}; use a shorter name", name, name.size(), kMaxName);
  if (std::ranges::count(taken, name) > 0)
    return fail("\"{}\" is a target already; use another name", name);
  return {};
}

Expected<void> writeNpuProject(const std::string &name, const std::string &folder) {
  std::string target = folder;
  while (target.size() > 1 && target.back() == '/')
    target.pop_back();
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(target, ignored)))
    return exists(folder);
  TemporaryFolder temporary(target);
  if (!temporary.made)
    return fail("{}: {}", folder, std::generic_category().message(errno));
  fs::permissions(temporary.path, fs::perms(0755), ignored);
  if (auto written = writeInto(temporary.path, name); !written)
    return written;
  if (renameat2(AT_FDCWD, temporary.path.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0)
    return errno == EEXIST ? exists(folder)
                           : fail("{}: {}", folder, std::generic_category().message(errno));
  temporary.made = false;
  return {};
}

} // namespace tenon::cli
