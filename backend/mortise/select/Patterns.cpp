// SPDX-License-Identifier: Apache-2.0
// The rows, and their use by the partitioner.
#include "backend/mortise/select/Patterns.h"

#include "backend/mortise/select/Constraints.h"
#include "backend/mortise/select/Program.h"
#include "ir/TenonDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tenon::mortise {
namespace {

void addConvolutionRows(std::vector<PatternRow> &rows) {
  struct Kind {
    ConvolutionKind kind;
    const char *name;
  };
  static constexpr Fusion kFusions[] = {{true, true, false},  {false, true, false},
                                        {true, false, true},  {false, false, true},
                                        {true, false, false}, {false, false, false}};
  for (const Fusion &fusion : kFusions)
    for (const Kind &kind : {Kind{ConvolutionKind::Conv2d, "conv2d"},
                             Kind{ConvolutionKind::Depthwise, "depthwise_conv2d"},
                             Kind{ConvolutionKind::FullyConnected, "fully_connected"}}) {
      if (kind.kind == ConvolutionKind::FullyConnected && fusion.pad)
        continue;
      std::string name = "mortise.";
      name += fusion.pad ? "pad_" : "";
      name += kind.name;
      name += fusion.add ? "_add" : "";
      name += fusion.table ? "_table" : "";
      rows.push_back({name, [kind = kind.kind, fusion](mlir::Operation *root) {
                        return patterns::parseConvolution(root, kind, fusion);
                      }});
    }
}

std::vector<PatternRow> makeRows() {
  std::vector<PatternRow> rows;
  addConvolutionRows(rows);
  rows.push_back({"mortise.edge_cast", patterns::parseEdgeCast});
  rows.push_back({"mortise.max_pool2d", patterns::parseMaxPool});
  rows.push_back({"mortise.avg_pool2d", patterns::parseAveragePool});
  rows.push_back({"mortise.mean", patterns::parseMean});
  rows.push_back({"mortise.softmax", patterns::parseSoftmax});
  rows.push_back({"mortise.elementwise", patterns::parseElementwise});
  rows.push_back({"mortise.concat", patterns::parseConcat});
  rows.push_back({"mortise.pad", patterns::parsePad});
  rows.push_back({"mortise.slice", patterns::parseSlice});
  rows.push_back({"mortise.reshape", patterns::parseReshape});
  return rows;
}

/// Is every value but the result used only by \p parsed's operators?
bool isClosed(const Parsed &parsed) {
  llvm::SmallPtrSet<mlir::Operation *, 16> inside(parsed.operators.begin(), parsed.operators.end());
  for (mlir::Operation *op : parsed.operators)
    for (mlir::Value value : op->getResults())
      if (value != parsed.result &&
          !llvm::all_of(value.getUsers(), [&](auto *user) { return inside.contains(user); }))
        return false;
  return true;
}

/// Can the operators' program be written, whatever its tensors' zero points?
std::optional<backend::Refusal> checkProgram(const Parsed &parsed, const ElementwiseParse &work) {
  std::vector<ProgramInput> inputs;
  bool whole = work.inputs.empty();
  for (mlir::Value input : work.inputs) {
    inputs.push_back({input, 0});
    whole |= shapeOf(input) == shapeOf(parsed.result);
    const auto shape = shapeOf(input), all = shapeOf(parsed.result);
    for (size_t i = 0; i + 3 < shape.size(); ++i)
      if (shape[i] != all[i] || (shape[i] > 1 && shape.drop_front(i) != all.drop_front(i)))
        return refuse("mortise.broadcast", "over a batch");
  }
  if (work.inputs.empty())
    return refuse("mortise.operand", "constant");
  if (!whole)
    return refuse("mortise.broadcast", "of both operands");
  if (auto program = makeProgram(parsed.result, inputs, 0); !program)
    return refuse("mortise.program", program.error().message);
  return std::nullopt;
}

class TablePattern : public backend::Pattern {
public:
  explicit TablePattern(const PatternRow &row) : row(row) {}

  std::string name() const override { return row.name; }

  std::optional<backend::Match> match(mlir::Operation *root) const override {
    auto parsed = row.parse(root);
    if (!parsed || !isClosed(*parsed))
      return std::nullopt;
    return backend::Match{parsed->operators, {}};
  }

  std::optional<backend::Refusal> check(const backend::Match &match) const override {
    auto parsed = row.parse(match.operators.front());
    if (!parsed)
      return refuse("mortise.form", "another");
    if (auto refusal = mortise::check(parsed->findings))
      return refusal;
    if (auto *work = std::get_if<ElementwiseParse>(&parsed->work))
      return checkProgram(*parsed, *work);
    return std::nullopt;
  }

private:
  const PatternRow &row;
};

} // namespace

const std::vector<PatternRow> &patternRows() {
  static const std::vector<PatternRow> rows = makeRows();
  return rows;
}

std::vector<std::unique_ptr<backend::Pattern>> makePatterns() {
  std::vector<std::unique_ptr<backend::Pattern>> patterns;
  for (const PatternRow &row : patternRows())
    patterns.push_back(std::make_unique<TablePattern>(row));
  return patterns;
}

std::optional<Parsed> parseComposite(mlir::Operation *op) {
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  if (!composite || composite->getNumResults() != 1)
    return std::nullopt;
  mlir::Operation *yield = composite.getBody().front().getTerminator();
  mlir::Operation *root = yield->getOperand(0).getDefiningOp();
  for (const PatternRow &row : patternRows())
    if (composite.getName() == row.name)
      return root ? row.parse(root) : std::nullopt;
  return std::nullopt;
}

backend::Refusal refusalAlone(mlir::Operation *op) {
  const std::string name = op->getName().getStringRef().str();
  for (auto values : {mlir::ValueRange(op->getOperands()), mlir::ValueRange(op->getResults())})
    for (mlir::Value value : values) {
      const mlir::Type type = mlir::getElementTypeOrSelf(value);
      if (llvm::isa<mlir::FloatType>(type) || type.isInteger(16) || type.isInteger(48)) {
        std::string text;
        llvm::raw_string_ostream(text) << type;
        return refuse("mortise.type", text);
      }
    }
  const bool isConvolution = llvm::isa<mlir::tosa::Conv2DOp, mlir::tosa::DepthwiseConv2DOp>(op);
  if (isConvolution && !isConstant(op->getOperand(1)))
    return refuse("mortise.weights", "computed");
  for (const char *known : {"tosa.conv2d", "tosa.depthwise_conv2d", "tosa.rescale", "tosa.add",
                            "tosa.sub", "tosa.mul", "tosa.clamp", "tosa.table", "tosa.reshape",
                            "tosa.concat", "tosa.pad", "tosa.slice", "tosa.max_pool2d"})
    if (name == known)
      return refuse("mortise.form", "another use of " + name);
  auto composite = llvm::dyn_cast<ir::CompositeOp>(op);
  return refuse("mortise.operator", composite ? composite.getName().str() : name);
}

} // namespace tenon::mortise
