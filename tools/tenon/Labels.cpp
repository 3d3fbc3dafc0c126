// SPDX-License-Identifier: Apache-2.0
// Ranks an output's values and names them.
#include "tools/tenon/Labels.h"

#include <algorithm>
#include <numeric>

namespace tenon::cli {

std::vector<std::string> parseLabels(ByteSpan text) {
  std::vector<std::string> labels;
  std::string line;
  for (uint8_t byte : text) {
    if (byte == '\n')
      labels.push_back(std::exchange(line, {}));
    else if (byte != '\r')
      line += char(byte);
  }
  if (!line.empty())
    labels.push_back(line);
  return labels;
}

Expected<std::vector<Score>> topScores(const Array &output, double scale, int64_t zeroPoint,
                                       const std::vector<std::string> &labels, size_t count) {
  const size_t values = output.data.size() / package::sizeOf(output.type);
  if (labels.size() != values)
    return fail("{} labels, but the output has {} values; give a file with a line a class",
                labels.size(), values);
  std::vector<size_t> order(values);
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(-valueAt(output, a), a) < std::pair(-valueAt(output, b), b);
  });
  order.resize(std::min(count, order.size()));
  std::vector<Score> scores;
  for (size_t index : order) {
    const double raw = valueAt(output, index);
    scores.push_back({index, labels[index], scale > 0 ? scale * (raw - double(zeroPoint)) : raw});
  }
  return scores;
}

} // namespace tenon::cli
