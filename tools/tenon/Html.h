// SPDX-License-Identifier: Apache-2.0
// Text from files as text in a page.
#pragma once
#include <string>

namespace tenon::cli {

/// \p text for an element or a quoted attribute: no markup, and as `printable` no control bytes.
std::string escapeHtml(const std::string &text);

} // namespace tenon::cli
