// SPDX-License-Identifier: Apache-2.0
// The import list and CPU levels, on images from the system's own tools.
#include <gtest/gtest.h>

#include <elf.h>

#include "hostkernels/HostCpu.h"
#include "hostkernels/ImportList.h"
#include "support/Files.h"

namespace tenon::hostkernels {
namespace {

TEST(ImportList, HoldsMemoryAndMathOnly) {
  EXPECT_TRUE(isAllowedImport("malloc"));
  EXPECT_TRUE(isAllowedImport("tanhf"));
  EXPECT_FALSE(isAllowedImport("system"));
  EXPECT_FALSE(isAllowedImport(""));
}

TEST(ImportList, RefusesOtherFiles) {
  const Bytes text = {'n', 'o', ' ', 'E', 'L', 'F'};
  EXPECT_NE(checkImports(text).error().message.find("byte 0"), std::string::npos);
  const Bytes zeros(4096, 0);
  EXPECT_EQ(checkImports(zeros).error().message,
            "host code: byte 0: not a 64-bit little-endian ELF file");
}

TEST(ImportList, RefusesAnImageThatNeedsALibrary) {
  const Bytes self = *readFile("/proc/self/exe", uint64_t(1) << 31);
  EXPECT_FALSE(checkImports(self).has_value());
}

TEST(ImportList, SurvivesEveryTruncationOfAnImage) {
  const Bytes self = *readFile("/proc/self/exe", uint64_t(1) << 31);
  for (size_t size = 0; size < self.size(); size += 997)
    EXPECT_FALSE(checkImports(ByteSpan(self).first(size)).has_value());
}

TEST(HostCpu, KnowsTheLevelsOfThePsAbi) {
  EXPECT_NE(findCpuLevel("x86-64-v3")->features.find("avx2"), std::string_view::npos);
  EXPECT_FALSE(findCpuLevel("z80").has_value());
  EXPECT_TRUE(findCpuLevel("").has_value());
}

TEST(HostCpu, NamesWhatIsMissing) {
  const auto foreign = checkThisCpu("riscv64-unknown-linux-gnu", "");
  EXPECT_NE(foreign.error().message.find("host code is for riscv64"), std::string::npos);
  const auto own = findCpuLevel("");
  const auto unknown = checkThisCpu(own->triple, "flux-capacitor");
  EXPECT_NE(unknown.error().message.find("flux-capacitor"), std::string::npos);
  EXPECT_TRUE(checkThisCpu(own->triple, "").has_value());
}

} // namespace
} // namespace tenon::hostkernels
