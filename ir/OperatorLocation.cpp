// SPDX-License-Identifier: Apache-2.0
// Model operators as MLIR locations: name, type as file, index as line.
#include "ir/OperatorLocation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::ir {

mlir::Location makeOperatorLocation(mlir::MLIRContext *context, const ModelOperator &op) {
  auto position = mlir::FileLineColLoc::get(context, op.type, static_cast<unsigned>(op.index), 0);
  return mlir::NameLoc::get(mlir::StringAttr::get(context, op.name), position);
}

llvm::SmallVector<ModelOperator> getModelOperators(mlir::Location location) {
  llvm::SmallVector<ModelOperator> found;
  location->walk([&](mlir::Location part) {
    auto name = llvm::dyn_cast<mlir::NameLoc>(part);
    auto position =
        name ? llvm::dyn_cast<mlir::FileLineColLoc>(name.getChildLoc()) : mlir::FileLineColLoc();
    if (position)
      found.push_back({position.getLine(), position.getFilename().str(), name.getName().str()});
    return mlir::WalkResult::advance();
  });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

mlir::Location fuseOperatorLocations(mlir::MLIRContext *context,
                                     llvm::ArrayRef<mlir::Location> locations) {
  llvm::SetVector<mlir::Location> named;
  for (mlir::Location location : locations)
    if (!getModelOperators(location).empty())
      named.insert(location);
  return mlir::FusedLoc::get(context, named.getArrayRef());
}

} // namespace tenon::ir
