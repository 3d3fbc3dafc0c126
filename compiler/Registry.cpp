// SPDX-License-Identifier: Apache-2.0
// Loads plug-in libraries and finds backends by name.
#include "compiler/Registry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

#include "llvm/ADT/STLExtras.h"

namespace tenon::compiler {
namespace {

Expected<void> checkVersion(const backend::BackendPlugin *plugin, const std::string &path) {
  if (!plugin || !plugin->name || !plugin->create)
    return fail("{}: tenon_backend_v1 offers no backend; rebuild the plug-in", path);
  if (plugin->interfaceVersion != backend::kInterfaceVersion)
    return fail("{}: made for backend interface {}, this compiler has {}; rebuild the {}", path,
                plugin->interfaceVersion, backend::kInterfaceVersion,
                plugin->interfaceVersion > backend::kInterfaceVersion ? "compiler" : "plug-in");
  return {};
}

std::vector<std::string> pluginPath() {
  std::vector<std::string> libraries;
  const char *path = std::getenv("TENON_PLUGIN_PATH");
  std::istringstream text(path ? path : "");
  for (std::string library; std::getline(text, library, ':');)
    if (!library.empty())
      libraries.push_back(library);
  return libraries;
}

} // namespace

Expected<Registry> Registry::load(const std::vector<std::string> &plugins) {
  Registry registry;
  for (const backend::BackendPlugin *plugin : builtInBackends())
    registry.add({plugin, "built in"});
  std::vector<std::string> libraries = pluginPath();
  libraries.insert(libraries.end(), plugins.begin(), plugins.end());
  for (const std::string &library : libraries)
    if (auto loaded = registry.loadLibrary(library); !loaded)
      return tl::unexpected(loaded.error());
  return registry;
}

void Registry::add(BackendEntry entry) {
  for (BackendEntry &old : known)
    if (std::string_view(old.plugin->name) == entry.plugin->name) {
      old = std::move(entry);
      return;
    }
  known.push_back(std::move(entry));
}

Expected<void> Registry::loadLibrary(const std::string &path) {
  // A name without '/' would be looked for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail("plug-in cannot be loaded: {}", dlerror());
  auto entry = reinterpret_cast<decltype(&tenon_backend_v1)>(dlsym(library, "tenon_backend_v1"));
  if (!entry)
    return fail("{}: does not export tenon_backend_v1; it is no backend plug-in", path);
  const backend::BackendPlugin *plugin = entry();
  if (auto ok = checkVersion(plugin, path); !ok)
    return ok;
  add({plugin, path});
  return {};
}

Expected<std::unique_ptr<backend::Backend>> Registry::createOne(mlir::MLIRContext &context,
                                                                const TargetSpec &target) const {
  for (const BackendEntry &entry : known)
    if (target.name == entry.plugin->name)
      return entry.plugin->create(context, target.config);
  std::vector<std::string> names;
  for (const BackendEntry &entry : known)
    names.push_back(entry.plugin->name);
  return fail("target {}: no backend has this name; there are: {}; --plugin adds one", target.name,
              fmt::join(names, ", "));
}

Expected<std::vector<std::unique_ptr<backend::Backend>>>
Registry::create(mlir::MLIRContext &context, const std::vector<TargetSpec> &targets) const {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  for (const TargetSpec &target : targets) {
    auto backend = createOne(context, target);
    if (!backend)
      return tl::unexpected(backend.error());
    backends.push_back(std::move(*backend));
  }
  return backends;
}

Expected<std::vector<BackendInfo>> listBackends(const std::vector<std::string> &plugins) {
  auto registry = Registry::load(plugins);
  if (!registry)
    return tl::unexpected(registry.error());
  std::vector<BackendInfo> infos;
  for (const BackendEntry &entry : registry->entries())
    infos.push_back(
        {entry.plugin->name, entry.plugin->summary ? entry.plugin->summary : "", entry.origin});
  return infos;
}

} // namespace tenon::compiler
