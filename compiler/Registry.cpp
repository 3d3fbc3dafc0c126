// SPDX-License-Identifier: Apache-2.0
// Loads plug-in libraries and finds backends by name.
#include "compiler/Registry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

#include "compiler/PluginFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

namespace tenon::compiler {
namespace {

constexpr const char *kBuiltIn = "built in";

std::vector<std::string> pluginPath() {
  std::vector<std::string> paths;
  const char *text = secure_getenv("TENON_PLUGIN_PATH");
  std::istringstream parts(text ? text : "");
  for (std::string path; std::getline(parts, path, ':');)
    if (!path.empty())
      paths.push_back(path);
  return paths;
}

/// dlopen's words; a symbol that is missing in C++ spelling, and what to do about it.
tl::unexpected<Error> cannotLoad(const std::string &path) {
  const char *text = dlerror();
  const std::string reason = text ? text : "unknown error";
  constexpr const char *kUndefined = "undefined symbol: ";
  const size_t at = reason.find(kUndefined);
  if (at == std::string::npos)
    return fail("plug-in cannot be loaded: {}", reason);
  std::string symbol = reason.substr(at + std::string_view(kUndefined).size());
  symbol = symbol.substr(0, symbol.find(','));
  return fail(
      "{}: needs {}, which neither it nor this compiler (Tenon {}) defines; link what does, "
      "or rebuild the plug-in with this compiler's package",
      path, llvm::demangle(symbol), TENON_VERSION);
}

/// What tenon_backend_v1 returns; a fault in it is the library's.
Expected<const backend::BackendPlugin *> callEntry(void *library, const std::string &path) {
  auto entry = reinterpret_cast<decltype(&tenon_backend_v1)>(dlsym(library, "tenon_backend_v1"));
  if (!entry)
    return fail("{}: does not export tenon_backend_v1; it is no backend plug-in", path);
  const backend::BackendPlugin *plugin = nullptr;
  if (auto problem = runForeign([&] { plugin = entry(); }))
    return fail("{}: tenon_backend_v1 {}; repair the plug-in", path, *problem);
  return plugin;
}

} // namespace

Registry Registry::discover(const std::vector<std::string> &plugins) {
  Registry registry;
  for (const backend::BackendPlugin *plugin : builtInBackends())
    registry.add({plugin, kBuiltIn});
  std::vector<std::string> paths = pluginPath();
  paths.insert(paths.end(), plugins.begin(), plugins.end());
  for (const std::string &path : paths)
    (void)registry.addPath(path);
  return registry;
}

Expected<Registry> Registry::load(const std::vector<std::string> &plugins) {
  Registry registry = discover({});
  for (const std::string &path : plugins)
    if (auto loaded = registry.addPath(path); !loaded)
      return tl::unexpected(loaded.error());
  return registry;
}

/// The first failure, if \p path is a file; a folder may hold what is no plug-in.
Expected<void> Registry::addPath(const std::string &path) {
  const std::vector<std::string> libraries = librariesOf(path);
  for (const std::string &library : libraries)
    if (auto loaded = loadLibrary(library); !loaded) {
      notLoaded.push_back({library, loaded.error().message});
      if (library == path)
        return loaded;
    }
  return {};
}

void Registry::add(BackendEntry entry) {
  for (BackendEntry &old : known) {
    if (std::string_view(old.plugin->name) != entry.plugin->name)
      continue;
    if (old.origin != kBuiltIn && old.plugin != entry.plugin)
      notLoaded.push_back({old.origin, fmt::format("{}: {} is {}'s, which comes later", old.origin,
                                                   entry.plugin->name, entry.origin)});
    old = std::move(entry);
    return;
  }
  known.push_back(std::move(entry));
}

Expected<void> Registry::loadLibrary(const std::string &path) {
  if (auto ok = checkLibraryFile(path); !ok)
    return ok;
  // A name without '/' would be looked for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return cannotLoad(path);
  auto plugin = callEntry(library, path);
  if (!plugin)
    return tl::unexpected(plugin.error());
  if (auto ok = checkPlugin(*plugin, path); !ok)
    return ok;
  add({*plugin, path});
  return {};
}

tl::unexpected<Error> Registry::unknownName(const std::string &name) const {
  std::vector<std::string> names;
  for (const BackendEntry &entry : known)
    names.push_back(entry.plugin->name);
  std::string line =
      fmt::format("target {}: no backend has this name; there are: {}; --plugin adds "
                  "one",
                  name, fmt::join(names, ", "));
  for (const SkippedLibrary &library : notLoaded)
    line += "; not loaded: " + library.reason;
  return tl::unexpected<Error>(Error{line});
}

Expected<std::unique_ptr<backend::Backend>>
Registry::createOne(mlir::MLIRContext &context, const TargetSpec &target, FaultLog &faults) const {
  for (const BackendEntry &entry : known)
    if (target.name == entry.plugin->name)
      return createGuarded(entry, entry.origin != kBuiltIn, context, target, faults);
  return unknownName(target.name);
}

Expected<std::vector<std::unique_ptr<backend::Backend>>>
Registry::create(mlir::MLIRContext &context, const std::vector<TargetSpec> &targets,
                 FaultLog &faults) const {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  for (const TargetSpec &target : targets) {
    auto backend = createOne(context, target, faults);
    if (!backend)
      return tl::unexpected(backend.error());
    backends.push_back(std::move(*backend));
  }
  return backends;
}

BackendList listBackends(const std::vector<std::string> &plugins) {
  const Registry registry = Registry::discover(plugins);
  BackendList list;
  list.skipped = registry.skipped();
  for (const BackendEntry &entry : registry.entries()) {
    BackendInfo info{
        entry.plugin->name, entry.plugin->summary ? entry.plugin->summary : "", entry.origin, {}};
    if (entry.plugin->configs)
      if (auto problem = runForeign([&] { info.configs = entry.plugin->configs(*entry.plugin); }))
        list.skipped.push_back({entry.origin, fmt::format("{}: its list of configurations {}",
                                                          entry.origin, *problem)});
    list.backends.push_back(std::move(info));
  }
  return list;
}

} // namespace tenon::compiler
