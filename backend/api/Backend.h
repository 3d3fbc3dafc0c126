// SPDX-License-Identifier: Apache-2.0
// The one interface of everything that executes operators, the host included.
// Thread use: a Backend is used by one thread at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/api/Abi.h"
#include "backend/api/Claim.h"
#include "backend/api/Pattern.h"
#include "backend/api/Version.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "package/Package.h"
#include "support/Error.h"

namespace tenon::backend {

/// Estimated times, in nanoseconds, that drive merge-regions.
struct Cost {
  uint64_t computeNs = 0;
};

/// What entering a region costs beside its work.
struct RegionCost {
  uint64_t launchNs = 0;      ///< fixed, a call of the region
  uint64_t perKilobyteNs = 0; ///< moving 1024 bytes across the region's edge
};

/// A function that a target owns: arguments and results are dense tensors; the body holds the
/// target's composites (or, for what it takes without a pattern, plain operators).
struct PartitionFunction {
  mlir::func::FuncOp function; ///< attribute `tenon.target`
  std::string symbol;          ///< unique in the package
};

/// What compile makes of all functions of one target.
struct CompiledTarget {
  /// One a function, in order: kind, symbol, commands, constants, scratchBytes, deviceConfig,
  /// deviceAbi, debug, costs are filled by the backend; tensors and operators by the compiler.
  std::vector<package::Partition> partitions;
  std::vector<package::HostCode> hostCode; ///< empty for devices
};

/// A function the target could not compile after all: it goes elsewhere, with this reason.
struct CompileFailure {
  size_t function = 0;            ///< index into compile's functions
  std::vector<int64_t> operators; ///< model operators to give back; empty for all of them
  Refusal refusal;
};

/// Either all functions compiled, or the first that could not be.
struct CompileResult {
  CompiledTarget compiled;
  std::vector<CompileFailure> failures; ///< non-empty: compiled is to be ignored
};

/// Errors are values; what throws, or returns what these comments rule out, is reported as a fault
/// of the backend, and its operators go to the next target.
class Backend {
public:
  virtual ~Backend() = default;

  /// The word before ':' in --target; prefix of its composites' names and rule ids.
  virtual std::string name() const = 0;
  /// The configuration in use, for reports: "medium", or "" if there is none.
  virtual std::string config() const { return ""; }

  /// The pattern table, in order of preference.
  virtual const std::vector<std::unique_ptr<Pattern>> &patterns() const = 0;

  /// May an operator that no pattern covered run here as it stands? The host says yes to all it
  /// can lower; a device usually refuses: the refusal is the reason that `explain` prints for an
  /// operator which no pattern even resembled.
  virtual std::optional<Refusal> takesAlone(mlir::Operation *op) const = 0;

  /// Time of one composite (or lone operator).
  virtual Cost cost(mlir::Operation *op) const = 0;
  virtual RegionCost regionCost() const { return {}; }

  /// Compiles all functions of this target. Deterministic.
  virtual CompileResult compile(llvm::ArrayRef<PartitionFunction> functions) = 0;

  /// The limits of its patterns, for tools that try their edges; empty if it does not tell.
  virtual std::vector<Claim> claims() const { return {}; }
};

/// What a library offers. Filled once, alive as long as the process. Members hold nothing whose
/// layout depends on how a side was built: a loader reads them before it trusts the rest.
struct BackendPlugin {
  uint32_t interfaceVersion = kInterfaceVersion;
  const char *name = nullptr;    ///< Backend::name(): lower-case letters, digits, '_', '-'
  const char *summary = nullptr; ///< one line for `tenon devices`
  /// Makes a backend for the text after ':' in --target ("" if none): a shipped
  /// configuration's name or a file. \p context outlives the backend; dialects the backend
  /// needs are loaded into it here.
  Expected<std::unique_ptr<Backend>> (*create)(mlir::MLIRContext &context,
                                               const std::string &config) = nullptr;
  /// Names of shipped configurations, for `tenon devices`; may be null.
  std::vector<std::string> (*configs)() = nullptr;
  BuildAbi abi = kBuildAbi; ///< leave as it is
};

} // namespace tenon::backend

/// The symbol a plug-in library exports, compiler side; all else in it should be hidden.
extern "C" __attribute__((visibility("default"))) const tenon::backend::BackendPlugin *
tenon_backend_v1();
