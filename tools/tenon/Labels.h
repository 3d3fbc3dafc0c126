// SPDX-License-Identifier: Apache-2.0
// The highest scores of a classifier, by name.
#pragma once
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// A class and its score.
struct Score {
  size_t index;      ///< of the class
  std::string label; ///< its name
  double value;      ///< real, or raw where the output is not quantised
};

/// Lines of a label file: line K names class K. Carriage returns are dropped.
std::vector<std::string> parseLabels(ByteSpan text);

/// The \p count highest values of \p output, ties by class. Fails if \p labels does not have a
/// line a value.
Expected<std::vector<Score>> topScores(const Array &output, double scale, int64_t zeroPoint,
                                       const std::vector<std::string> &labels, size_t count);

} // namespace tenon::cli
