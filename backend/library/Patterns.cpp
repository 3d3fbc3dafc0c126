// SPDX-License-Identifier: Apache-2.0
// Matches rows, and holds what they find against limits.
#include "backend/library/Patterns.h"

#include <algorithm>

#include "ir/TenonDialect.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::library {
namespace {

namespace tosa = mlir::tosa;

/// Is every value but the result used only by what was found?
bool isClosed(const Found &found) {
  llvm::SmallPtrSet<mlir::Operation *, 16> inside(found.operators.begin(), found.operators.end());
  for (mlir::Operation *op : found.operators)
    for (mlir::Value value : op->getResults())
      if (value != found.result &&
          !llvm::all_of(value.getUsers(), [&](auto *user) { return inside.contains(user); }))
        return false;
  return true;
}

class RowPattern : public backend::Pattern {
public:
  RowPattern(const Npu &npu, const Row &row) : npu(npu), row(row) {}

  std::string name() const override { return npu.name + "." + row.composite->name; }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    auto found = readView(root, row, false);
    if (!found || !isClosed(*found))
      return std::nullopt;
    return backend::Match{found->operators, {}};
  }

  std::optional<backend::Refusal> check(const backend::Match &match) const override {
    auto found = readView(match.operators.front(), row, false);
    if (!found)
      return backend::Refusal{name() + ".form", "the form is another", "another", "", ""};
    if (found->obstacle) {
      const Obstacle &that = *found->obstacle;
      return backend::Refusal{name() + "." + that.rule,
                              fmt::format("{} is {}, not {}", that.what, that.value, that.limit),
                              that.value, that.limit, that.remedy};
    }
    return library::check(npu.name, *row.composite, found->view);
  }

private:
  const Npu &npu;
  Row row;
};

/// The first element type that is neither int8 nor of int8's accumulators.
std::string foreignType(mlir::Operation *op) {
  for (auto values : {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
    for (mlir::Value value : values) {
      const mlir::Type type = mlir::getElementTypeOrSelf(value);
      if (!llvm::isa<mlir::FloatType>(type) && !type.isInteger(16) && !type.isInteger(48))
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return text;
    }
  return "";
}

/// Is \p op part of something that a composite of the table may stand for?
bool isKnown(const Npu &npu, mlir::Operation *op) {
  const auto takes = [&](std::initializer_list<Operator> wanted) {
    return std::ranges::any_of(npu.composites, [&](const Composite &composite) {
      return std::ranges::count(wanted, composite.takes) > 0;
    });
  };
  if (llvm::isa<tosa::Conv2DOp>(op))
    return takes({Operator::Conv2d, Operator::FullyConnected});
  if (llvm::isa<tosa::DepthwiseConv2DOp>(op))
    return takes({Operator::DepthwiseConv2d});
  if (llvm::isa<tosa::AddOp, tosa::SubOp>(op))
    return takes({Operator::Add});
  if (llvm::isa<tosa::MaxPool2dOp>(op))
    return takes({Operator::MaxPool2d});
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  return composite && composite.getName() == "tenon.avg_pool2d" && takes({Operator::AveragePool2d});
}

std::string operatorsOf(const Npu &npu) {
  std::vector<std::string> names;
  for (const Composite &composite : npu.composites)
    if (std::ranges::count(names, nameOf(composite.takes)) == 0)
      names.push_back(nameOf(composite.takes));
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::vector<std::unique_ptr<backend::Pattern>> makePatterns(const Npu &npu,
                                                            const std::vector<Row> &rows) {
  std::vector<std::unique_ptr<backend::Pattern>> patterns;
  for (const Row &row : rows)
    patterns.push_back(std::make_unique<RowPattern>(npu, row));
  return patterns;
}

backend::Refusal refusalAlone(const Npu &npu, mlir::Operation *op) {
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  const std::string name =
      composite ? composite.getName().str() : op->getName().getStringRef().str();
  if (const std::string type = foreignType(op); !type.empty())
    return {npu.name + ".type", "element type is " + type + ", not int8 or uint8", type,
            "int8 or uint8", "quantise the model to int8"};
  if (isKnown(npu, op))
    return {npu.name + ".form", name + " has another form than the composites", name,
            "the int8 form of docs/ir.md",
            "quantise all tensors of the operator to int8 with constant scales"};
  const std::string limit = operatorsOf(npu);
  return {npu.name + ".operator", "operator is " + name + ", not " + limit, name, limit,
          "leave it to the host, or use another operator"};
}

} // namespace tenon::library
