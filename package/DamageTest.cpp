// SPDX-License-Identifier: Apache-2.0
// Damaged packages are refused with one line, or read; they never crash.
#include <random>

#include <gtest/gtest.h>

#include "package/Format.h"
#include "package/TestPackage.h"

namespace tenon::package {
namespace {

constexpr int kCases = 4000;

/// One line of reason, or a package that write accepts.
void expectRefusedOrValid(const Bytes &file) {
  auto package = read(file);
  if (package) {
    EXPECT_TRUE(validate(*package));
    return;
  }
  EXPECT_FALSE(package.error().message.empty());
  EXPECT_EQ(package.error().message.find('\n'), std::string::npos);
}

/// Flips one to four bits at or after byte \p from.
Bytes flipBits(Bytes file, size_t from, std::mt19937 &random) {
  for (unsigned flips = 1 + random() % 4; flips > 0; --flips)
    file[from + random() % (file.size() - from)] ^= uint8_t(1) << random() % 8;
  return file;
}

TEST(PackageDamage, EveryTruncationIsRefused) {
  Bytes file = *write(makeTestPackage());
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(read(ByteSpan(file).first(size))) << size;
}

TEST(PackageDamage, EveryFlippedBitIsRefused) {
  Bytes file = *write(makeTestPackage());
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= 1 << bit % 8;
    EXPECT_FALSE(read(file)) << "bit " << bit;
    file[bit / 8] ^= 1 << bit % 8;
  }
}

TEST(PackageDamage, FlippedBitsUnderAGoodHash) {
  std::mt19937 random(1);
  Bytes file = *write(makeTestPackage());
  for (int i = 0; i < kCases; ++i) {
    Bytes damaged = flipBits(file, kHeaderBytes, random);
    seal(damaged);
    expectRefusedOrValid(damaged);
  }
}

TEST(PackageDamage, TruncationsUnderAGoodHash) {
  Bytes file = *write(makeTestPackage());
  for (size_t size = kHeaderBytes; size < file.size(); ++size) {
    Bytes damaged(file.begin(), file.begin() + size);
    seal(damaged);
    expectRefusedOrValid(damaged);
  }
}

TEST(PackageDamage, RandomBodiesUnderAGoodHash) {
  std::mt19937 random(2);
  for (int i = 0; i < kCases; ++i) {
    Bytes body(random() % 300);
    for (uint8_t &byte : body)
      byte = random() % 4 ? random() % 32 : random();
    expectRefusedOrValid(makeFile(body, "0.1.0"));
  }
}

} // namespace
} // namespace tenon::package
