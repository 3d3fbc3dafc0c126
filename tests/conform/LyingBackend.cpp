// SPDX-License-Identifier: Apache-2.0
// A table's backend that claims another stride than its table takes: 4 at most.
#include "backend/api/Backend.h"
#include "backend/library/Npu.h"

namespace {

using namespace tenon;
using namespace tenon::library;

enum Lie : int64_t { RefusesFour = 3, TakesFive = 5 };
/// What the table takes in truth.
constexpr int64_t kTruth = LIE;
constexpr int64_t kClaim = 4;

void writeNothing(const Pooling &, Emitter &) {}

const Npu &npu() {
  static const Npu table = {
      .name = "lying",
      .summary = "claims what it does not do",
      .composites = {{"max_pool", Operator::MaxPool2d, {atMost("stride", kTruth)}, writeNothing}}};
  return table;
}

/// All as the table's backend, but for the claims.
class LyingBackend : public backend::Backend {
public:
  explicit LyingBackend(std::unique_ptr<Backend> inner) : inner(std::move(inner)) {}
  std::string name() const override { return inner->name(); }
  const std::vector<std::unique_ptr<backend::Pattern>> &patterns() const override {
    return inner->patterns();
  }
  std::optional<backend::Refusal> takesAlone(mlir::Operation *op) const override {
    return inner->takesAlone(op);
  }
  backend::Cost cost(mlir::Operation *op) const override { return inner->cost(op); }
  backend::CompileResult compile(llvm::ArrayRef<backend::PartitionFunction> functions) override {
    return inner->compile(functions);
  }
  std::vector<backend::Claim> claims() const override {
    auto claims = inner->claims();
    claims.front().maximum = kClaim;
    return claims;
  }

private:
  std::unique_ptr<Backend> inner;
};

const backend::BackendPlugin &honest() { return *makePlugin(npu(), TableAbi{}); }

Expected<std::unique_ptr<backend::Backend>> create(mlir::MLIRContext &context,
                                                   const std::string &config) {
  auto made = honest().create(context, config);
  if (!made)
    return made;
  return std::make_unique<LyingBackend>(std::move(*made));
}

} // namespace

extern "C" __attribute__((visibility("default"))) const backend::BackendPlugin *tenon_backend_v1() {
  static const backend::BackendPlugin offer = {backend::kInterfaceVersion, "lying",
                                               "claims what it does not do", create};
  return &offer;
}
