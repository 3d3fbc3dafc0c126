// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/api/tenon.h"
#include "runtime/testing/TestNetwork.h"

namespace tenon::runtime {
namespace {

TEST(PackageApi, DescribesTensors) {
  Bytes bytes = *package::write(makeNetwork());
  tenon_package *package = nullptr;
  ASSERT_EQ(tenon_package_open_memory(bytes.data(), bytes.size(), &package), TENON_OK);
  EXPECT_EQ(tenon_package_input_count(package), 1u);
  EXPECT_EQ(tenon_package_output_count(package), 1u);
  tenon_tensor_info info;
  ASSERT_EQ(tenon_package_input(package, 0, &info), TENON_OK);
  EXPECT_STREQ(info.name, "in");
  EXPECT_EQ(info.type, TENON_UINT8);
  EXPECT_EQ(info.rank, 4u);
  EXPECT_EQ(info.shape[3], 3);
  EXPECT_EQ(info.size_bytes, 48u);
  EXPECT_EQ(info.scale, 0.5);
  EXPECT_EQ(info.zero_point, 128);
  ASSERT_EQ(tenon_package_output(package, 0, &info), TENON_OK);
  EXPECT_STREQ(info.name, "out");
  EXPECT_EQ(info.zero_point, -3);
  EXPECT_EQ(tenon_package_output(package, 1, &info), TENON_INVALID_ARGUMENT);
  EXPECT_STREQ(tenon_last_error(), "output 1 of 1");
  tenon_package_close(package);
}

TEST(PackageApi, OpensFiles) {
  std::string path = testing::TempDir() + "PackageApiOpensFiles.tenon";
  ASSERT_TRUE(writeFile(path, *package::write(makeNetwork())));
  tenon_package *package = nullptr;
  EXPECT_EQ(tenon_package_open(path.c_str(), &package), TENON_OK);
  tenon_package_close(package);
  std::filesystem::resize_file(path, 200);
  EXPECT_EQ(tenon_package_open(path.c_str(), &package), TENON_BAD_PACKAGE);
  EXPECT_NE(std::string(tenon_last_error()).find(path + ": byte 32: package should have"),
            std::string::npos)
      << tenon_last_error();
  std::filesystem::remove(path);
  EXPECT_EQ(tenon_package_open(path.c_str(), &package), TENON_INVALID_ARGUMENT);
  EXPECT_NE(std::string(tenon_last_error()).find(path), std::string::npos);
}

TEST(PackageApi, RefusesNull) {
  tenon_package *package = nullptr;
  EXPECT_EQ(tenon_package_open(nullptr, &package), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_package_open("x", nullptr), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_package_open_memory(nullptr, 0, &package), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_package_input(nullptr, 0, nullptr), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_session_create(nullptr, nullptr, 0, nullptr), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_session_run(nullptr), TENON_INVALID_ARGUMENT);
  EXPECT_EQ(tenon_session_step_count(nullptr), 0u);
  tenon_package_close(nullptr);
  tenon_session_destroy(nullptr);
}

TEST(PackageApi, LastErrorIsTheThreadsOwn) {
  tenon_package *package = nullptr;
  EXPECT_EQ(tenon_package_open(nullptr, &package), TENON_INVALID_ARGUMENT);
  std::string other = "unset";
  std::thread([&] { other = tenon_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(tenon_last_error(), "path or package is NULL");
}

TEST(PackageApi, HasAVersion) { EXPECT_STREQ(tenon_version(), "0.1.0"); }

} // namespace
} // namespace tenon::runtime
