// SPDX-License-Identifier: Apache-2.0
#include "frontend/tflite/Import.h"

#include "frontend/tflite/GraphBuilder.h"
#include "frontend/tflite/ops/Operators.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace tenon::tflite {
namespace {

std::string tensorNames(const Model &model, const std::vector<int32_t> &indices) {
  std::string text;
  for (int32_t index : indices)
    text += (text.empty() ? "\"" : ", \"") +
            (index < 0 ? std::string("(none)") : model.tensors[size_t(index)].name) + "\"";
  return text;
}

std::string titleOf(const Model &model, const Operator &op) {
  return fmt::format("operator {} \"{}\" ({})", op.index,
                     op.outputs.empty() ? "" : model.tensors[size_t(op.outputs[0])].name, op.type);
}

Expected<void> importOperator(GraphBuilder &builder, const Model &model, const Operator &op) {
  const Importer *importer = findImporter(op.code);
  if (!importer)
    return fail("{}: no importer for {} version {} (inputs {}; outputs {}); see docs/operators.md "
                "for what there is, or replace it in the model",
                titleOf(model, op), op.type, op.version, tensorNames(model, op.inputs),
                tensorNames(model, op.outputs));
  if (op.version > importer->maxVersion)
    return fail("{}: version {} is newer than {} (inputs {}; outputs {}); convert the model with "
                "an older converter",
                titleOf(model, op), op.version, importer->maxVersion, tensorNames(model, op.inputs),
                tensorNames(model, op.outputs));
  builder.beginOperator(op);
  if (auto done = importer->emit(builder); !done)
    return fail(done.error(), titleOf(model, op));
  return {};
}

/// The graph must verify; what a damaged file gets past the importers stops here.
Expected<void> verifyModule(mlir::ModuleOp module) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (message.empty()) {
      llvm::raw_string_ostream stream(message);
      stream << diagnostic.getLocation() << ": " << diagnostic;
    }
    return mlir::success();
  });
  if (mlir::succeeded(mlir::verify(module)))
    return {};
  for (char &c : message)
    if (c == '\n')
      c = ' ';
  return fail("the model is not consistent: {}", message);
}

} // namespace

Expected<mlir::OwningOpRef<mlir::ModuleOp>> importTflite(mlir::MLIRContext &context,
                                                         ByteSpan bytes) {
  auto model = readModel(bytes);
  if (!model)
    return tl::unexpected(model.error());
  GraphBuilder builder(context, *model);
  if (auto started = builder.start(); !started)
    return tl::unexpected(started.error());
  for (const Operator &op : model->operators)
    if (auto imported = importOperator(builder, *model, op); !imported)
      return tl::unexpected(imported.error());
  auto module = builder.finish();
  if (!module)
    return module;
  if (auto verified = verifyModule(**module); !verified)
    return tl::unexpected(verified.error());
  return module;
}

std::vector<SupportedOperator> supportedOperators() {
  std::vector<SupportedOperator> result;
  for (const Importer &importer : importers())
    result.push_back({fbs::EnumNameBuiltinOperator(importer.code), importer.types, importer.notes,
                      importer.maxVersion});
  return result;
}

} // namespace tenon::tflite
