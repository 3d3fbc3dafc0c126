// SPDX-License-Identifier: Apache-2.0
// Entry functions, in LLVM IR: pointers out of two arrays, an arena, one call.
#include "backend/host/EntryPoints.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace tenon::host {
namespace {

constexpr int64_t kAlignmentBytes = 64;

/// Loads \p count pointers from \p array onto the end of \p arguments.
void loadPointers(llvm::IRBuilder<> &builder, llvm::Value *array, unsigned count,
                  llvm::SmallVectorImpl<llvm::Value *> &arguments) {
  for (unsigned index = 0; index < count; ++index) {
    llvm::Value *slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), array, index);
    arguments.push_back(builder.CreateLoad(builder.getPtrTy(), slot));
  }
}

/// The next multiple of the arena's alignment in \p block, which is one alignment larger.
llvm::Value *alignPointer(llvm::IRBuilder<> &builder, llvm::Value *block) {
  llvm::Value *last =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, kAlignmentBytes - 1);
  llvm::Value *mask = builder.getInt64(~uint64_t(kAlignmentBytes - 1));
  return builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {builder.getPtrTy(), mask->getType()},
                                 {last, mask});
}

/// From here on, returns 1 if \p block is null.
void returnIfNull(llvm::IRBuilder<> &builder, llvm::Function *function, llvm::Value *block) {
  auto *failed = llvm::BasicBlock::Create(builder.getContext(), "failed", function);
  auto *work = llvm::BasicBlock::Create(builder.getContext(), "work", function);
  builder.CreateCondBr(builder.CreateIsNull(block), failed, work);
  builder.SetInsertPoint(failed);
  builder.CreateRet(builder.getInt32(1));
  builder.SetInsertPoint(work);
}

void addEntryPoint(llvm::Module &module, const EntryPoint &entry) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getInt32Ty(), {pointer, pointer}, false),
      llvm::Function::ExternalLinkage, entry.symbol, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  llvm::SmallVector<llvm::Value *> arguments;
  loadPointers(builder, function->getArg(0), entry.inputCount, arguments);
  loadPointers(builder, function->getArg(1), entry.outputCount, arguments);
  llvm::Value *block = nullptr;
  if (entry.arenaBytes) {
    auto malloc = module.getOrInsertFunction("malloc", pointer, builder.getInt64Ty());
    block = builder.CreateCall(malloc, {builder.getInt64(entry.arenaBytes + kAlignmentBytes)});
    returnIfNull(builder, function, block);
  }
  arguments.push_back(block ? alignPointer(builder, block)
                            : llvm::ConstantPointerNull::get(builder.getPtrTy()));
  builder.CreateCall(module.getFunction(entry.body), arguments);
  if (block)
    builder.CreateCall(module.getOrInsertFunction("free", builder.getVoidTy(), pointer), {block});
  builder.CreateRet(builder.getInt32(0));
}

} // namespace

void addEntryPoints(llvm::Module &module, const std::vector<EntryPoint> &entries) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::Function::InternalLinkage);
  for (const EntryPoint &entry : entries)
    addEntryPoint(module, entry);
}

} // namespace tenon::host
