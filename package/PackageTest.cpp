// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "package/Format.h"
#include "package/TestPackage.h"

namespace tenon::package {
namespace {

std::string errorOf(const Bytes &file) {
  auto package = read(file);
  return package ? "" : package.error().message;
}

std::string errorOf(const Package &package) {
  auto ok = validate(package);
  return ok ? "" : ok.error().message;
}

TEST(Package, ReadsWhatWasWritten) {
  Package original = makeTestPackage();
  auto package = read(*write(original));
  ASSERT_TRUE(package) << package.error().message;
  EXPECT_EQ(package->modelName, "test.tflite");
  EXPECT_EQ(package->outputs, (std::vector<uint32_t>{2, 3, 2}));
  EXPECT_EQ(package->tensors[0].scale, 0.5);
  EXPECT_EQ(package->tensors[0].zeroPoint, 128);
  EXPECT_EQ(package->tensors[0].type, ElementType::U8);
  EXPECT_EQ(package->tensors[1].arenaOffset, 64u);
  EXPECT_TRUE(package->tensors[3].shape.empty());
  EXPECT_EQ(package->operators[1].type, "CONV_2D");
  EXPECT_EQ(package->hostCode[0].image, original.hostCode[0].image);
  EXPECT_EQ(package->hostCode[0].features, "+sse4.2");
  EXPECT_EQ(package->irHash, original.irHash);
}

TEST(Package, ReadsPartitions) {
  auto package = read(*write(makeTestPackage()));
  ASSERT_TRUE(package);
  EXPECT_EQ(package->partitions[0].symbol, "partition_0");
  const Partition &device = package->partitions[1];
  EXPECT_EQ(device.kind, CodeKind::Device);
  EXPECT_EQ(device.deviceConfig, "medium");
  EXPECT_EQ(device.deviceAbi, 1u);
  EXPECT_EQ(device.commands, Bytes(128, 0x11));
  EXPECT_EQ(device.constants, Bytes(1000, 0x22));
  EXPECT_EQ(device.scratchBytes, 4096u);
  EXPECT_EQ(device.debug[1].firstCommand, 2u);
  EXPECT_EQ(device.debug[1].operators, std::vector<uint32_t>{4});
  EXPECT_EQ(device.costs[0].name, "mortise.conv2d");
  EXPECT_EQ(device.costs[0].macs, 5000u);
  EXPECT_EQ(package->partitions[2].commands, Bytes(64, 0x33));
}

TEST(Package, SameValueGivesSameBytes) {
  EXPECT_EQ(*write(makeTestPackage()), *write(makeTestPackage()));
  EXPECT_EQ(*write(*read(*write(makeTestPackage()))), *write(makeTestPackage()));
}

TEST(Package, SharedConstantsAreStoredOnce) {
  Package apart = makeTestPackage();
  apart.partitions[2].constants.back() ^= 1;
  EXPECT_GE(write(apart)->size(), write(makeTestPackage())->size() + 1000);
}

TEST(Package, BlobsAreAligned) {
  Bytes file = *write(makeTestPackage());
  auto found = std::search_n(file.begin(), file.end(), 1000, 0x22);
  ASSERT_NE(found, file.end());
  EXPECT_EQ((found - file.begin()) % 32, 0);
}

TEST(Package, ReadsAtAnyAddress) {
  Bytes file = *write(makeTestPackage());
  file.insert(file.begin(), 0);
  EXPECT_TRUE(read(ByteSpan(file).subspan(1)));
}

// XXH3's own test vector for an empty input, seed 0: 99aa06d3014798d86001c324468d497f.
TEST(Package, HashesThePartsByTheirContent) {
  Package package = makeTestPackage();
  package.partitions.clear();
  package.outputs = {};
  EXPECT_EQ(toHex(hashStreams(package)), "99aa06d3014798d86001c324468d497f");
  auto hashes = readHashes(*write(makeTestPackage()));
  ASSERT_TRUE(hashes);
  EXPECT_EQ(hashes->ir[0], 0xab);
  EXPECT_NE(hashes->streams, hashes->constants);
}

TEST(Package, NewerFormatSaysWhichSideToUpdate) {
  Bytes file = *write(makeTestPackage());
  file[24] = 2;
  seal(file);
  EXPECT_EQ(errorOf(file), "package was made by Tenon 0.1.0 with format 2, this runtime reads 1: "
                           "update the runtime or recompile the model");
}

TEST(Package, OlderFormatSaysWhichSideToUpdate) {
  Bytes file = *write(makeTestPackage());
  file[24] = 0;
  EXPECT_EQ(errorOf(file), "package was made by Tenon 0.1.0 with format 0, this runtime reads 1: "
                           "recompile the model");
}

TEST(Package, DamageIsNamed) {
  Bytes file = *write(makeTestPackage());
  Bytes cut(file.begin(), file.end() - 8);
  EXPECT_NE(errorOf(cut).find("cut short"), std::string::npos) << errorOf(cut);
  file.back() ^= 1;
  EXPECT_NE(errorOf(file).find("damaged"), std::string::npos) << errorOf(file);
  EXPECT_EQ(errorOf(Bytes(200, 'x')), "byte 0: not a Tenon package");
  EXPECT_EQ(errorOf(Bytes()), "package of 0 bytes is shorter than its header of 64");
}

TEST(PackageValidate, TakesTheTestPackage) { EXPECT_EQ(errorOf(makeTestPackage()), ""); }

TEST(PackageValidate, Shapes) {
  Package package = makeTestPackage();
  package.tensors[1].shape = {1, -4};
  EXPECT_EQ(errorOf(package), "tensor 1: shape [1,-4] is negative or exceeds 4294967296 bytes");
  package.tensors[1].shape = {int64_t(1) << 62, 4};
  EXPECT_NE(errorOf(package).find("tensor 1: shape"), std::string::npos);
  package.tensors[1].shape = std::vector<int64_t>(9, 1);
  EXPECT_EQ(errorOf(package), "tensor 1: rank 9 exceeds 8");
}

TEST(PackageValidate, Dataflow) {
  Package package = makeTestPackage();
  package.partitions[1].inputs = {4};
  EXPECT_EQ(errorOf(package), "partition 1: reads tensor 4 of 4");
  package.partitions[1].inputs = {3};
  EXPECT_EQ(errorOf(package), "partition 1: reads tensor 3, which nothing before it makes");
  package = makeTestPackage();
  package.partitions[2].outputs = {2};
  EXPECT_EQ(errorOf(package), "partition 2: makes tensor 2, which is there already");
  package = makeTestPackage();
  package.inputs = {0, 0};
  EXPECT_EQ(errorOf(package), "tensor 0 is an input twice");
  package = makeTestPackage();
  package.outputs = {7};
  EXPECT_EQ(errorOf(package), "output is tensor 7 of 4");
}

TEST(PackageValidate, ArenaBounds) {
  Package package = makeTestPackage();
  package.arenaBytes = 64 + 47;
  EXPECT_EQ(errorOf(package), "tensor 1: 48 bytes at 64 exceed the arena's 111");
  package.tensors[1].arenaOffset = 32;
  EXPECT_EQ(errorOf(package), "tensor 1: arena offset 32 is no multiple of 64");
  package.arenaBytes = uint64_t(1) << 33;
  EXPECT_EQ(errorOf(package), "arena of 8589934592 bytes exceeds 4294967296");
}

/// Tensor 2 becomes internal: made at step 2, read at step 3 where 1 is read too.
Package makeOverlapping(uint64_t offset) {
  Package package = makeTestPackage();
  package.outputs = {3};
  package.partitions[2].inputs = {1, 2};
  package.tensors[2].arenaOffset = offset;
  package.arenaBytes = 256;
  return package;
}

TEST(PackageValidate, TensorsAliveTogetherMayNotOverlap) {
  EXPECT_EQ(errorOf(makeOverlapping(64)), "tensors 1 and 2 overlap in the arena");
  EXPECT_EQ(errorOf(makeOverlapping(128)), "");
  Package package = makeOverlapping(64);
  package.tensors[1].arenaOffset = 0;
  package.tensors[1].shape = {65};
  EXPECT_EQ(errorOf(package), "tensors 1 and 2 overlap in the arena");
}

TEST(PackageValidate, DeadTensorsMayBeOverwritten) {
  Package package = makeOverlapping(128);
  package.tensors.push_back({"late", ElementType::I8, {48}, 0, 0, 64});
  package.partitions[2].inputs = {2};
  package.partitions[2].outputs = {4};
  Partition last = package.partitions[2];
  last.inputs = {4};
  last.outputs = {3};
  package.partitions.push_back(last);
  EXPECT_EQ(errorOf(package), "");
}

TEST(PackageValidate, Tables) {
  Package package = makeTestPackage();
  package.partitions[1].debug[0].operators = {1};
  EXPECT_EQ(errorOf(package), "partition 1: debug table: operator 1 is not in the operator table");
  package = makeTestPackage();
  std::swap(package.operators[0], package.operators[1]);
  EXPECT_EQ(errorOf(package), "operator 0 stands after 3");
  package = makeTestPackage();
  package.hostCode.clear();
  EXPECT_EQ(errorOf(package), "partition 0: is host code, but the package holds none");
  package = makeTestPackage();
  package.partitions[1].commands.clear();
  EXPECT_EQ(errorOf(package), "partition 1: has no commands");
}

TEST(PackageValidate, WriterRefusesToo) {
  Package package = makeTestPackage();
  package.tensors[0].name = std::string(4097, 'n');
  auto file = write(package);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "tensor 0: name of 4097 bytes exceeds 4096");
}

} // namespace
} // namespace tenon::package
