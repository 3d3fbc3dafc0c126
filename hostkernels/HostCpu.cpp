// SPDX-License-Identifier: Apache-2.0
// CPU levels as a table, and the question the runtime asks before it loads host code.
#include "hostkernels/HostCpu.h"

#include <array>

namespace tenon::hostkernels {
namespace {

constexpr std::string_view kX86Triple = "x86_64-unknown-linux-gnu";
constexpr std::string_view kArmTriple = "aarch64-unknown-linux-gnu";

/// The levels of the x86-64 psABI; AArch64's base is Armv8.0 with Advanced SIMD.
constexpr std::array<CpuLevel, 4> kLevels = {{
    {"x86-64-v2", kX86Triple, "popcnt,sse4.2,ssse3"},
    {"x86-64-v3", kX86Triple, "avx2,bmi,bmi2,f16c,fma,lzcnt,popcnt"},
    {"x86-64-v4", kX86Triple,
     "avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi,bmi2,f16c,fma,lzcnt,popcnt"},
    {"armv8-a", kArmTriple, ""},
}};

#if defined(__x86_64__)
constexpr std::string_view kThisArchitecture = "x86_64";
constexpr std::string_view kDefaultLevel = "x86-64-v3";

bool hasFeature(std::string_view feature) {
  struct Row {
    std::string_view name;
    bool present;
  };
  const Row rows[] = {
      {"avx2", __builtin_cpu_supports("avx2") != 0},
      {"avx512bw", __builtin_cpu_supports("avx512bw") != 0},
      {"avx512cd", __builtin_cpu_supports("avx512cd") != 0},
      {"avx512dq", __builtin_cpu_supports("avx512dq") != 0},
      {"avx512f", __builtin_cpu_supports("avx512f") != 0},
      {"avx512vl", __builtin_cpu_supports("avx512vl") != 0},
      {"bmi", __builtin_cpu_supports("bmi") != 0},
      {"bmi2", __builtin_cpu_supports("bmi2") != 0},
      {"f16c", __builtin_cpu_supports("f16c") != 0},
      {"fma", __builtin_cpu_supports("fma") != 0},
      {"lzcnt", __builtin_cpu_supports("lzcnt") != 0},
      {"popcnt", __builtin_cpu_supports("popcnt") != 0},
      {"sse4.2", __builtin_cpu_supports("sse4.2") != 0},
      {"ssse3", __builtin_cpu_supports("ssse3") != 0},
  };
  for (const Row &row : rows)
    if (row.name == feature)
      return row.present;
  return false;
}
#else
constexpr std::string_view kThisArchitecture = "aarch64";
constexpr std::string_view kDefaultLevel = "armv8-a";

bool hasFeature(std::string_view) { return false; }
#endif

} // namespace

std::optional<CpuLevel> findCpuLevel(std::string_view name) {
  for (const CpuLevel &level : kLevels)
    if (level.name == (name.empty() ? kDefaultLevel : name))
      return level;
  return std::nullopt;
}

std::span<const CpuLevel> cpuLevels() { return kLevels; }

std::string cpuLevelNames() {
  std::string names;
  for (const CpuLevel &level : kLevels)
    names += (names.empty() ? "" : ", ") + std::string(level.name);
  return names;
}

Expected<void> checkThisCpu(std::string_view triple, std::string_view features) {
  std::string_view architecture = triple.substr(0, triple.find('-'));
  if (architecture != kThisArchitecture)
    return fail("host code is for {}, this machine is {}; compile for it with --target host:NAME",
                architecture, kThisArchitecture);
  while (!features.empty()) {
    size_t comma = features.find(',');
    std::string_view feature = features.substr(0, comma);
    if (!hasFeature(feature))
      return fail("host code needs CPU feature {}, which this machine lacks; compile for it with "
                  "--target host:NAME, NAME one of {}",
                  feature, cpuLevelNames());
    features = comma == std::string_view::npos ? "" : features.substr(comma + 1);
  }
  return {};
}

} // namespace tenon::hostkernels
