// SPDX-License-Identifier: Apache-2.0
// Matches chains of TOSA operators, and model operators by type.
#include "ToyPatterns.h"

#include <sstream>

#include "ir/OperatorLocation.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringExtras.h"

namespace tenon::toy {
namespace {

bool isConstant(mlir::Operation *op) { return op->hasTrait<mlir::OpTrait::ConstantLike>(); }

class ToyPattern : public backend::Pattern {
public:
  ToyPattern(std::string target, std::string claim, int64_t maxElements)
      : target(std::move(target)), claim(std::move(claim)), maxElements(maxElements) {}

  std::optional<backend::Refusal> check(const backend::Match &match) const override {
    auto type = llvm::cast<mlir::ShapedType>(match.operators.front()->getResult(0).getType());
    if (type.getNumElements() <= maxElements)
      return std::nullopt;
    const std::string value = std::to_string(type.getNumElements());
    const std::string limit = std::to_string(maxElements);
    return backend::Refusal{target + ".elements", value + " elements exceed " + limit, value, limit,
                            "use " + limit + " elements or fewer"};
  }

protected:
  std::string target, claim;
  int64_t maxElements;
};

/// "a>b>c": c's operand comes from b, whose operand comes from a.
class ChainPattern : public ToyPattern {
public:
  using ToyPattern::ToyPattern;

  std::string name() const override {
    std::string text = target + "." + claim;
    std::replace(text.begin(), text.end(), '>', '_');
    return text;
  }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    std::vector<std::string> links;
    std::istringstream text(claim);
    for (std::string link; std::getline(text, link, '>');)
      links.insert(links.begin(), link);
    backend::Match found;
    if (!follow(root, links, found))
      return std::nullopt;
    return found;
  }

private:
  bool follow(mlir::Operation *op, llvm::ArrayRef<std::string> links, backend::Match &found) const {
    if (op->getName().getStringRef() != "tosa." + links.front())
      return false;
    found.operators.push_back(op);
    if (links.size() == 1)
      return true;
    for (mlir::Value operand : op->getOperands())
      if (mlir::Operation *producer = operand.getDefiningOp())
        if (follow(producer, links.drop_front(), found))
          return true;
    found.operators.pop_back();
    return false;
  }
};

/// All IR of one model operator, if its type is the claim.
class TypePattern : public ToyPattern {
public:
  using ToyPattern::ToyPattern;

  std::string name() const override { return target + "." + llvm::StringRef(claim).lower(); }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    const auto wanted = ir::getModelOperators(root->getLoc());
    if (wanted.size() != 1 || wanted.front().type != claim)
      return std::nullopt;
    backend::Match found;
    found.operators.push_back(root);
    for (mlir::Operation &op : *root->getBlock()) {
      const auto named = ir::getModelOperators(op.getLoc());
      if (&op != root && !isConstant(&op) && named.size() == 1 && named == wanted)
        found.operators.push_back(&op);
    }
    return found;
  }
};

} // namespace

std::unique_ptr<backend::Pattern> makePattern(const std::string &target, const std::string &claim,
                                              const ToyConfig &config) {
  if (llvm::isUpper(claim.front()))
    return std::make_unique<TypePattern>(target, claim, config.maxElements);
  return std::make_unique<ChainPattern>(target, claim, config.maxElements);
}

} // namespace tenon::toy
