// SPDX-License-Identifier: Apache-2.0
// Names, and a project that is there whole or not at all.
#include "tools/tenon/NpuTemplate.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/Files.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

/// An empty folder that is gone after the test.
struct Folder {
  Folder() {
    std::string text = ::testing::TempDir() + "npu.XXXXXX";
    path = mkdtemp(text.data());
  }
  ~Folder() { fs::remove_all(path); }
  size_t count() const {
    return size_t(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
  fs::path path;
};

TEST(NpuTemplate, NamesAreLowerCaseWords) {
  for (const char *name : {"a", "acme", "acme_2", "npu64"})
    EXPECT_TRUE(checkNpuName(name, {})) << name;
  for (const char *name : {"", "Acme", "2acme", "_a", "a-b", "a b", "../a", "a/b", "ä"})
    EXPECT_FALSE(checkNpuName(name, {})) << name;
  EXPECT_EQ(checkNpuName(std::string(33, 'a'), {}).error().message,
            "\"" + std::string(33, 'a') + "\": 33 letters exceed 32; use a shorter name");
  EXPECT_EQ(checkNpuName("b", {"a", "b"}).error().message,
            "\"b\" is a target already; use another name");
}

TEST(NpuTemplate, FillsEveryWordIn) {
  Folder folder;
  ASSERT_TRUE(writeNpuProject("acme", (folder.path / "x").string()));
  EXPECT_EQ(folder.count(), 1u);
  for (const TemplateFile &file : npuTemplate()) {
    auto bytes = readFile((folder.path / "x" / file.path).string());
    ASSERT_TRUE(bytes) << file.path;
    const std::string text(bytes->begin(), bytes->end());
    EXPECT_EQ(text.find("@NAME@"), std::string::npos) << file.path;
    EXPECT_EQ(text.find("@VERSION@"), std::string::npos) << file.path;
  }
}

TEST(NpuTemplate, HeadingsMarkWhatToEdit) {
  std::string all;
  for (const TemplateFile &file : npuTemplate())
    all.append(file.content.begin(), file.content.end());
  for (const char *heading :
       {"// ---- patterns --", "// ---- constraints --", "// ---- code --", "// ---- device --"})
    EXPECT_NE(all.find(heading), std::string::npos) << heading;
}

TEST(NpuTemplate, LeavesAnExistingFolderAlone) {
  Folder folder;
  const std::string target = (folder.path / "x").string();
  fs::create_directory(target);
  auto written = writeNpuProject("acme", target + "/");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            target + "/: is there already; name another folder with --output");
  EXPECT_TRUE(fs::is_empty(target));
  EXPECT_EQ(folder.count(), 1u);
}

TEST(NpuTemplate, LeavesNothingBehindWhenItFails) {
  Folder folder;
  EXPECT_FALSE(writeNpuProject("acme", (folder.path / "missing" / "x").string()));
  EXPECT_EQ(folder.count(), 0u);
}

} // namespace
} // namespace tenon::cli
