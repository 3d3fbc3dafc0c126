// SPDX-License-Identifier: Apache-2.0
// Bounds, overflow, atomic writes and hashes.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/Bytes.h"
#include "support/Checked.h"
#include "support/Files.h"
#include "support/Hash.h"

namespace tenon {
namespace {

TEST(Bytes, ReadNamesTheOffsetPastTheEnd) {
  Bytes bytes{1, 2, 3, 4, 5};
  EXPECT_EQ(*readAt<uint32_t>(bytes, 1), 0x05040302u);
  EXPECT_EQ(readAt<uint32_t>(bytes, 2).error().message,
            "byte 2: 4 bytes wanted, the buffer ends at 5");
  EXPECT_FALSE(readAt<uint32_t>(bytes, UINT64_MAX));
}

TEST(Checked, OverflowIsReported) {
  EXPECT_FALSE(checkedMul<int64_t>(INT64_MAX, 2));
  EXPECT_EQ(checkedMul<int64_t>(6, 7), 42);
  EXPECT_FALSE(checkedProduct(std::array<int64_t, 2>{3, -1}));
  EXPECT_EQ(checkedProduct(std::array<int64_t, 3>{2, 3, 4}), 24);
}

TEST(Files, AFailedWriteLeavesNothing) {
  EXPECT_EQ(writeFile("/nonexistent/x", {}).error().message,
            "/nonexistent/x: No such file or directory");
  std::string path = ::testing::TempDir() + "/tenon_files_test";
  Bytes bytes{7, 8, 9};
  ASSERT_TRUE(writeFile(path, bytes));
  EXPECT_EQ(*readFile(path), bytes);
  EXPECT_FALSE(readFile(path, 2));
  std::filesystem::remove(path);
}

// Vector published with XXH3: the hash of the empty input with seed 0.
TEST(Hash, EmptyInputMatchesThePublishedVector) {
  EXPECT_EQ(toHex(hashBytes({})), "99aa06d3014798d86001c324468d497f");
}

} // namespace
} // namespace tenon
