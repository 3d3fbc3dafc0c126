// SPDX-License-Identifier: Apache-2.0
// Refusals and lists of dictionaries as attributes.
#include "partition/Attributes.h"

#include "mlir/IR/Builders.h"

namespace tenon::partition {

mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context, llvm::StringRef target,
                                 const backend::Refusal &refusal) {
  mlir::NamedAttrList entries;
  auto add = [&](llvm::StringRef key, llvm::StringRef text) {
    if (!text.empty())
      entries.append(key, mlir::StringAttr::get(context, text));
  };
  add("target", target);
  add("rule", refusal.rule);
  add("reason", refusal.reason);
  add("value", refusal.value);
  add("limit", refusal.limit);
  add("remedy", refusal.remedy);
  return entries.getDictionary(context);
}

llvm::StringRef textOf(mlir::DictionaryAttr attribute, llvm::StringRef key) {
  auto text = attribute.getAs<mlir::StringAttr>(key);
  return text ? text.getValue() : llvm::StringRef();
}

backend::Refusal toRefusal(mlir::DictionaryAttr attribute) {
  return {textOf(attribute, "rule").str(), textOf(attribute, "reason").str(),
          textOf(attribute, "value").str(), textOf(attribute, "limit").str(),
          textOf(attribute, "remedy").str()};
}

llvm::SmallVector<mlir::DictionaryAttr> dictionariesOf(mlir::Operation *op, llvm::StringRef name) {
  llvm::SmallVector<mlir::DictionaryAttr> found;
  if (auto array = op->getAttrOfType<mlir::ArrayAttr>(name))
    for (mlir::Attribute entry : array)
      if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(entry))
        found.push_back(dictionary);
  return found;
}

void setArray(mlir::Operation *op, llvm::StringRef name, llvm::ArrayRef<mlir::Attribute> entries) {
  if (entries.empty())
    op->removeAttr(name);
  else
    op->setAttr(name, mlir::ArrayAttr::get(op->getContext(), entries));
}

void addRefusal(mlir::Operation *op, llvm::StringRef name, llvm::StringRef target,
                const backend::Refusal &refusal) {
  llvm::SmallVector<mlir::Attribute> entries;
  if (auto array = op->getAttrOfType<mlir::ArrayAttr>(name))
    llvm::append_range(entries, array);
  entries.push_back(toAttribute(op->getContext(), target, refusal));
  setArray(op, name, entries);
}

} // namespace tenon::partition
