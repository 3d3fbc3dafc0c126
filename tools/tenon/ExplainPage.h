// SPDX-License-Identifier: Apache-2.0
// A report as one page of HTML that needs nothing else: no network, no script.
#pragma once
#include "tools/tenon/Summary.h"

namespace tenon::cli {

/// \p model and \p targets are for the heading. The page holds the graph, its partitions coloured,
/// with reasons on hover and on focus, and the same as tables.
std::string explainPage(const std::string &model, const std::string &targets,
                        const partition::Report &report, const Summary &summary);

} // namespace tenon::cli
