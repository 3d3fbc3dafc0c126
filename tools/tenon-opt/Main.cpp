// SPDX-License-Identifier: Apache-2.0
// tenon-opt: runs single passes of the compiler on MLIR text, for tests and for reading IR.
#include <deque>

#include "compiler/Registry.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "partition/Passes.h"
#include "transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

namespace {

struct Options {
  llvm::cl::opt<std::string> targets{"target", llvm::cl::init("host"),
                                     llvm::cl::desc("targets by preference, NAME[:CONFIG],...")};
  llvm::cl::list<std::string> plugins{"plugin", llvm::cl::desc("a library that adds a backend")};
};

/// Registered with LLVM's command line at the first call.
Options &options() {
  static Options made;
  return made;
}

using Backends = std::vector<std::unique_ptr<tenon::backend::Backend>>;

tenon::Expected<Backends> makeBackends(mlir::MLIRContext &context) {
  auto registry =
      tenon::compiler::Registry::load({options().plugins.begin(), options().plugins.end()});
  if (!registry)
    return tl::unexpected(registry.error());
  // Single passes report no faults; refusals of the rule NAME.fault tell of them.
  static tenon::compiler::FaultLog faults;
  auto specs = tenon::compiler::parseTargets(options().targets);
  return specs ? registry->create(context, *specs, faults)
               : tenon::Expected<Backends>(tl::unexpected(specs.error()));
}

/// The backends of --target, made anew for each pass. They outlive every pass.
tenon::Expected<tenon::partition::Targets> targetSource(mlir::MLIRContext &context) {
  static std::deque<Backends> all;
  auto made = makeBackends(context);
  if (!made)
    return tl::unexpected(made.error());
  return tenon::partition::Targets(all.emplace_back(std::move(*made)));
}

} // namespace

int main(int argc, char **argv) {
  options();
  mlir::DialectRegistry registry;
  registry.insert<tenon::ir::TenonDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::tensor::TensorDialect,
                  mlir::tosa::TosaDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  tenon::partition::registerPasses(targetSource);
  tenon::transforms::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tenon's passes, one at a time\n", registry));
}
