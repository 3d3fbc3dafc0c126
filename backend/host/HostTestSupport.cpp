// SPDX-License-Identifier: Apache-2.0
// Compiles MLIR text with the host backend and loads the image from memory.
#include "backend/host/HostTestSupport.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tenon::host {

struct LoadedModule::Context {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<backend::Backend> backend;
};

LoadedModule::LoadedModule(const std::string &text, const std::string &config)
    : context(std::make_unique<Context>()) {
  auto made = plugin()->create(context->context, config);
  if (!made) {
    errorText = made.error().message;
    return;
  }
  context->backend = std::move(*made);
  context->module = mlir::parseSourceString<mlir::ModuleOp>(text, &context->context);
  if (!context->module) {
    errorText = "the test's module does not parse";
    return;
  }
  std::vector<backend::PartitionFunction> functions;
  context->module->walk([&](mlir::func::FuncOp function) {
    functions.push_back({function, function.getName().str()});
  });
  compiled = context->backend->compile(functions);
  if (!compiled.failures.empty())
    errorText = compiled.failures.front().refusal.reason;
}

LoadedModule::~LoadedModule() {
  if (handle)
    dlclose(handle);
}

bool LoadedModule::load() {
  if (!errorText.empty())
    return false;
  const int file = memfd_create("host-code", MFD_CLOEXEC);
  if (write(file, image().data(), image().size()) != ssize_t(image().size()))
    return false;
  handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    errorText = dlerror();
  close(file);
  return handle != nullptr;
}

int LoadedModule::call(const std::string &symbol, std::vector<const void *> inputs,
                       std::vector<void *> outputs) {
  using Entry = int32_t (*)(const void *const *, void *const *);
  auto entry = reinterpret_cast<Entry>(dlsym(handle, symbol.c_str()));
  return entry ? entry(inputs.data(), outputs.data()) : -1;
}

bool runBytes(const std::string &text, std::vector<const void *> inputs,
              std::vector<void *> outputs) {
  LoadedModule module(text);
  EXPECT_TRUE(module.load()) << module.error();
  if (!module.error().empty())
    return false;
  const int status = module.call("f", std::move(inputs), std::move(outputs));
  EXPECT_EQ(status, 0);
  return status == 0;
}

} // namespace tenon::host
