// SPDX-License-Identifier: Apache-2.0
// Places a graph's nodes in rows, each below what it depends on, and routes edges between them.
#pragma once
#include <cstddef>
#include <vector>

namespace tenon::cli {

struct Point {
  int x = 0, y = 0; ///< pixels from the top left
};

/// Nodes are boxes of one size; edges leave at the bottom and enter at the top.
struct GraphLayout {
  static constexpr int kNodeWidth = 188, kNodeHeight = 46, kRowHeight = 84;

  struct Edge {
    size_t from, to;
    std::vector<Point> points; ///< from the one's bottom to the other's top, by way of free places
  };

  std::vector<Point> nodes; ///< top left corners
  std::vector<Edge> edges;  ///< by `to`, then `from`
  int width = 0, height = 0;
};

/// \p before: by node, the nodes it depends on, ascending; out-of-range entries are ignored.
/// Circles, which no network has, are drawn too. Deterministic.
GraphLayout layOut(const std::vector<std::vector<size_t>> &before);

} // namespace tenon::cli
