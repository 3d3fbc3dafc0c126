// SPDX-License-Identifier: Apache-2.0
// Translation to LLVM IR, entry functions, optimisation and code generation.
#include "backend/host/ObjectCode.h"

#include "backend/host/EntryPoints.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

namespace tenon::host {
namespace {

/// LLVM's words for a level: its name where LLVM knows it, else a CPU with nothing extra.
std::string llvmCpu(const hostkernels::CpuLevel &cpu) {
  return llvm::Triple(llvm::StringRef(cpu.triple)).isX86() ? std::string(cpu.name) : "generic";
}

void initialiseTargets() {
  static const bool done = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    return true;
  }();
  (void)done;
}

Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const hostkernels::CpuLevel &cpu) {
  initialiseTargets();
  std::string reason;
  const llvm::Triple triple{llvm::StringRef(cpu.triple)};
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return fail("LLVM makes no code for {}: {}", cpu.triple, reason);
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, llvmCpu(cpu), "", options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

/// Wide vectors are worth it here: there is nothing but loops.
void setFunctionAttributes(llvm::Module &module, const hostkernels::CpuLevel &cpu) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", llvmCpu(cpu));
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

Expected<Bytes> generate(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail("LLVM writes no object files for {}", machine.getTargetTriple().str());
  passes.run(module);
  return Bytes(buffer.begin(), buffer.end());
}

} // namespace

Expected<Bytes> emitObjectCode(mlir::ModuleOp module, const std::vector<EntryPoint> &entries,
                               const hostkernels::CpuLevel &cpu) {
  auto machine = makeMachine(cpu);
  if (!machine)
    return tl::unexpected(machine.error());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "tenon-host");
  if (!translated)
    return fail("the lowered module does not translate to LLVM IR");
  translated->setTargetTriple((*machine)->getTargetTriple());
  translated->setDataLayout((*machine)->createDataLayout());
  addEntryPoints(*translated, entries);
  setFunctionAttributes(*translated, cpu);
  optimise(*translated, **machine);
  return generate(*translated, **machine);
}

} // namespace tenon::host
