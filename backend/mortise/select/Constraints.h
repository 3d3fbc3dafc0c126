// SPDX-License-Identifier: Apache-2.0
// Everything Mortise refuses, in one table: checks, refusals and docs/mortise-constraints.md.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/api/Refusal.h"
#include "backend/patterns/Finding.h"

namespace tenon::mortise {

struct Constraint {
  std::string_view rule;      ///< stable id
  std::string_view operators; ///< whom it concerns, for the page
  std::string_view quantity;  ///< what is held against the limit
  int64_t limit;              ///< largest number taken; -1: not a number
  std::string_view taken;     ///< for those without a number: what would be taken
  std::string_view remedy;
};

std::span<const Constraint> constraints();

/// The refusal of \p rule, which is in the table, with what is there now.
backend::Refusal refuse(std::string_view rule, const std::string &value);
/// The first finding that breaks its constraint: the one of its rule after "mortise.".
std::optional<backend::Refusal> check(const std::vector<patterns::Finding> &findings);
/// The text of docs/mortise-constraints.md.
std::string constraintsPage();

} // namespace tenon::mortise
