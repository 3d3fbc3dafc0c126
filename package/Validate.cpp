// SPDX-License-Identifier: Apache-2.0
// What must hold of every package: a session may then index, allocate and run without asking.
#include <algorithm>
#include <cmath>

#include "package/Lifetimes.h"

namespace tenon::package {
namespace {

Expected<void> checkText(const char *what, const std::string &text) {
  if (text.size() > kMaxNameBytes)
    return fail("{} of {} bytes exceeds {}", what, text.size(), kMaxNameBytes);
  return {};
}

Expected<void> checkTensor(const Tensor &tensor) {
  if (auto ok = checkText("name", tensor.name); !ok)
    return ok;
  if (tensor.shape.size() > kMaxRank)
    return fail("rank {} exceeds {}", tensor.shape.size(), kMaxRank);
  auto bytes = sizeOf(tensor);
  if (!bytes || *bytes > kMaxArenaBytes)
    return fail("shape [{}] is negative or exceeds {} bytes", fmt::join(tensor.shape, ","),
                kMaxArenaBytes);
  if (!std::isfinite(tensor.scale) || tensor.scale < 0)
    return fail("scale {} is negative or not finite", tensor.scale);
  return {};
}

Expected<void> checkTensors(const Package &package) {
  for (size_t i = 0; i < package.tensors.size(); ++i)
    if (auto ok = checkTensor(package.tensors[i]); !ok)
      return fail(ok.error(), fmt::format("tensor {}", i));
  return {};
}

Expected<void> checkOperators(const Package &package) {
  for (size_t i = 0; i < package.operators.size(); ++i) {
    const Operator &op = package.operators[i];
    if (i && op.index <= package.operators[i - 1].index)
      return fail("operator {} stands after {}", op.index, package.operators[i - 1].index);
    if (auto ok = checkText("operator name", op.name); !ok)
      return ok;
    if (auto ok = checkText("operator type", op.type); !ok)
      return ok;
  }
  return {};
}

Expected<void> checkTexts(const Package &package) {
  if (auto ok = checkText("compiler version", package.compilerVersion); !ok)
    return ok;
  for (const HostCode &code : package.hostCode)
    for (const std::string *text : {&code.triple, &code.cpu, &code.features})
      if (auto ok = checkText("host code's target", *text); !ok)
        return ok;
  return checkText("model name", package.modelName);
}

Expected<void> checkOperatorList(const Package &package, const std::vector<uint32_t> &operators) {
  for (uint32_t index : operators)
    if (!std::ranges::binary_search(package.operators, index, {}, &Operator::index))
      return fail("operator {} is not in the operator table", index);
  return {};
}

Expected<void> checkTables(const Package &package, const Partition &partition) {
  if (auto ok = checkOperatorList(package, partition.operators); !ok)
    return ok;
  if (!std::ranges::is_sorted(partition.debug, {}, &DebugEntry::firstCommand))
    return fail("debug table is not in the order of commands");
  for (const DebugEntry &entry : partition.debug)
    if (auto ok = checkOperatorList(package, entry.operators); !ok)
      return fail(ok.error(), "debug table");
  for (const CostEntry &entry : partition.costs)
    if (auto ok = checkOperatorList(package, entry.operators); !ok)
      return fail(ok.error(), "cost table");
  return {};
}

Expected<void> checkCode(const Package &package, const Partition &partition) {
  if (partition.target.empty())
    return fail("names no target");
  if (partition.scratchBytes > kMaxArenaBytes)
    return fail("scratch of {} bytes exceeds {}", partition.scratchBytes, kMaxArenaBytes);
  if (partition.kind == CodeKind::Device && partition.commands.empty())
    return fail("has no commands");
  if (partition.kind == CodeKind::Host && partition.symbol.empty())
    return fail("names no entry of the host code");
  if (partition.kind == CodeKind::Host && package.hostCode.empty())
    return fail("is host code, but the package holds none");
  return {};
}

Expected<void> checkPartitions(const Package &package) {
  for (size_t i = 0; i < package.partitions.size(); ++i)
    if (auto ok = validatePartition(package, package.partitions[i]); !ok)
      return fail(ok.error(), fmt::format("partition {}", i));
  return {};
}

} // namespace

Expected<void> validatePartition(const Package &package, const Partition &partition) {
  for (const std::string *text : {&partition.target, &partition.symbol, &partition.deviceConfig})
    if (auto ok = checkText("text", *text); !ok)
      return ok;
  if (auto ok = checkCode(package, partition); !ok)
    return ok;
  return checkTables(package, partition);
}

Expected<void> validate(const Package &package) {
  for (auto check : {checkTexts, checkTensors, checkOperators, checkPartitions})
    if (auto ok = check(package); !ok)
      return ok;
  auto lifetimes = findLifetimes(package);
  if (!lifetimes)
    return tl::unexpected(lifetimes.error());
  return checkArena(package, *lifetimes);
}

} // namespace tenon::package
