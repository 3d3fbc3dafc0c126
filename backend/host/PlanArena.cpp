// SPDX-License-Identifier: Apache-2.0
// plan-arena: places all temporary tensors of a function in one block of memory.
#include "backend/host/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "support/Checked.h"

namespace tenon::host {
namespace {

constexpr int64_t kAlignmentBytes = 64; ///< a cache line, and the widest vector

/// One allocation: its size, and the operators of the function's block during which it lives.
struct Tenant {
  mlir::memref::AllocOp alloc;
  int64_t sizeBytes = 0;
  int64_t firstUse = 0, lastUse = 0;
  int64_t offsetBytes = 0;

  bool meets(const Tenant &other) const {
    return firstUse <= other.lastUse && other.firstUse <= lastUse;
  }
};

/// Index in \p block of the operator that contains \p op.
int64_t positionOf(mlir::Operation *op, mlir::Block &block,
                   const llvm::DenseMap<mlir::Operation *, int64_t> &positions) {
  return positions.lookup(block.findAncestorOpInBlock(*op));
}

/// Where memory that \p user reads is last read: an address that was taken of it lives on.
int64_t lastUseOf(mlir::Operation *user, mlir::Block &block,
                  const llvm::DenseMap<mlir::Operation *, int64_t> &positions) {
  int64_t last = positionOf(user, block, positions);
  if (llvm::isa<mlir::memref::ExtractAlignedPointerAsIndexOp, mlir::arith::IndexCastOp,
                mlir::LLVM::IntToPtrOp>(user))
    for (mlir::Operation *next : user->getUsers())
      last = std::max(last, lastUseOf(next, block, positions));
  return last;
}

int64_t sizeBytesOf(mlir::MemRefType type) {
  const int64_t elementBytes =
      ceilDiv<int64_t>(type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth(), 8);
  // LLVM stores odd widths (i48) in the next power of two.
  return type.getNumElements() * int64_t(llvm::PowerOf2Ceil(elementBytes));
}

/// Gives each tenant the lowest offset at which it meets no tenant placed before it, the
/// largest first. Returns the bytes needed.
int64_t place(llvm::MutableArrayRef<Tenant> tenants) {
  llvm::SmallVector<Tenant *> order;
  for (Tenant &tenant : tenants)
    order.push_back(&tenant);
  llvm::sort(order, [](Tenant *a, Tenant *b) {
    return std::pair(-a->sizeBytes, a) < std::pair(-b->sizeBytes, b);
  });
  int64_t arenaBytes = 0;
  llvm::SmallVector<Tenant *> placed; // by offset
  for (Tenant *tenant : order) {
    int64_t offset = 0;
    for (Tenant *other : placed)
      if (tenant->meets(*other) && offset + tenant->sizeBytes > other->offsetBytes)
        offset = std::max(offset, other->offsetBytes + other->sizeBytes);
    tenant->offsetBytes = offset;
    arenaBytes = std::max(arenaBytes, offset + tenant->sizeBytes);
    auto at = llvm::upper_bound(
        placed, tenant, [](Tenant *a, Tenant *b) { return a->offsetBytes < b->offsetBytes; });
    placed.insert(at, tenant);
  }
  return arenaBytes;
}

struct PlanArena : mlir::PassWrapper<PlanArena, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanArena)
  llvm::StringRef getArgument() const override { return "tenon-host-plan-arena"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::arith::ArithDialect>();
  }

  void runOnOperation() override {
    llvm::SmallVector<Tenant> tenants;
    if (mlir::failed(findTenants(tenants)))
      return signalPassFailure();
    const int64_t arenaBytes = place(tenants);
    replaceAllocations(tenants, arenaBytes);
  }

  mlir::LogicalResult findTenants(llvm::SmallVector<Tenant> &tenants) {
    mlir::Block &block = getOperation().getBody().front();
    llvm::DenseMap<mlir::Operation *, int64_t> positions;
    for (mlir::Operation &op : block)
      positions[&op] = static_cast<int64_t>(positions.size());
    mlir::BufferViewFlowAnalysis aliases(getOperation());
    auto walked = getOperation().walk([&](mlir::memref::AllocOp alloc) {
      if (!alloc.getType().hasStaticShape()) {
        alloc.emitError("a temporary tensor's shape is not static");
        return mlir::WalkResult::interrupt();
      }
      Tenant tenant{alloc,
                    alignUp(std::max<int64_t>(sizeBytesOf(alloc.getType()), 1), kAlignmentBytes)};
      tenant.firstUse = tenant.lastUse = positionOf(alloc, block, positions);
      for (mlir::Value alias : aliases.resolve(alloc.getResult())) {
        // A buffer that leaves the loop it was made in would be overwritten by the next turn.
        if (alias.getParentRegion()->isProperAncestor(alloc->getParentRegion())) {
          alloc.emitError("a temporary tensor leaves the loop that makes it");
          return mlir::WalkResult::interrupt();
        }
        for (mlir::Operation *user : alias.getUsers())
          tenant.lastUse = std::max(tenant.lastUse, lastUseOf(user, block, positions));
      }
      tenants.push_back(tenant);
      return mlir::WalkResult::advance();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  void replaceAllocations(llvm::MutableArrayRef<Tenant> tenants, int64_t arenaBytes) {
    mlir::func::FuncOp function = getOperation();
    mlir::Block &block = function.getBody().front();
    mlir::OpBuilder builder(&getContext());
    auto arenaType = mlir::MemRefType::get({arenaBytes}, builder.getI8Type());
    mlir::Value arena = block.addArgument(arenaType, function.getLoc());
    function.setFunctionType(builder.getFunctionType(block.getArgumentTypes(), {}));
    function->setAttr(kArenaBytesAttr, builder.getI64IntegerAttr(arenaBytes));
    for (Tenant &tenant : tenants) {
      builder.setInsertionPoint(tenant.alloc);
      auto offset =
          mlir::arith::ConstantIndexOp::create(builder, tenant.alloc.getLoc(), tenant.offsetBytes);
      auto view =
          mlir::memref::ViewOp::create(builder, tenant.alloc.getLoc(), tenant.alloc.getType(),
                                       arena, offset, mlir::ValueRange{});
      tenant.alloc.replaceAllUsesWith(view.getResult());
      tenant.alloc.erase();
    }
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createPlanArenaPass() { return std::make_unique<PlanArena>(); }

} // namespace tenon::host
