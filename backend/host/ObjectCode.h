// SPDX-License-Identifier: Apache-2.0
// LLVM's part of the host backend: LLVM dialect in, object file out.
#pragma once
#include <string>
#include <vector>

#include "hostkernels/HostCpu.h"
#include "mlir/IR/BuiltinOps.h"
#include "support/Bytes.h"
#include "support/Error.h"

namespace tenon::host {

/// The C function the runtime calls for a partition:
/// `int32_t SYMBOL(void *const *inputs, void *const *outputs)`.
struct EntryPoint {
  std::string symbol;
  /// Function of the module that does the work: bare pointers to inputs, outputs, arena.
  std::string body;
  unsigned inputCount = 0, outputCount = 0;
  int64_t arenaBytes = 0;
};

/// Translates \p module (LLVM dialect only), adds \p entries, optimises, and makes an object file
/// for \p cpu. The same module gives the same bytes. Fails if LLVM has no such target.
Expected<Bytes> emitObjectCode(mlir::ModuleOp module, const std::vector<EntryPoint> &entries,
                               const hostkernels::CpuLevel &cpu);

/// Links one object file into an ET_DYN image that exports its entries, and checks that it
/// imports only what hostkernels/ImportList.h allows.
Expected<Bytes> linkImage(ByteSpan object);

} // namespace tenon::host
