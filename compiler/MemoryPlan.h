// SPDX-License-Identifier: Apache-2.0
// Places the tensors between partitions in one arena.
#pragma once
#include "package/Package.h"

namespace tenon::compiler {

/// Sets arenaOffset of each tensor that partitions hand each other, and arenaBytes: larger tensors
/// first, each at the lowest offset free over its life. Fails as package::findLifetimes does.
Expected<void> planMemory(package::Package &package);

} // namespace tenon::compiler
