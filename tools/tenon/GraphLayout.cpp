// SPDX-License-Identifier: Apache-2.0
// Rows by longest path; long edges hold a free place in each row they pass; barycentres order rows.
#include "tools/tenon/GraphLayout.h"

#include <algorithm>

namespace tenon::cli {
namespace {

constexpr int kGap = 20, kLaneWidth = 18, kMargin = 12;
/// Past this many free places long edges are drawn straight.
constexpr size_t kMaxLanes = 20000;
constexpr int kSweeps = 6;

/// A node, or the free place of an edge in a row.
struct Cell {
  bool isNode = true;
  size_t row = 0;
  std::vector<size_t> above, below; ///< cells in the rows next to it
  int x = 0;                        ///< left
  double order = 0;
  int width() const { return isNode ? GraphLayout::kNodeWidth : kLaneWidth; }
  int middle() const { return x + width() / 2; }
};

class Layout {
public:
  explicit Layout(const std::vector<std::vector<size_t>> &before) : before(before) {}

  GraphLayout make() {
    cells.resize(before.size());
    rankNodes();
    for (size_t to = 0; to < before.size(); ++to)
      for (size_t from : before[to])
        if (from < before.size() && from != to)
          addEdge(from, to);
    fillRows();
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      sortRows(sweep % 2 == 0);
    placeRows();
    return result();
  }

private:
  void rankNodes() {
    std::vector<size_t> waiting(before.size(), 0);
    std::vector<std::vector<size_t>> after(before.size());
    for (size_t to = 0; to < before.size(); ++to)
      for (size_t from : before[to])
        if (from < before.size() && from != to) {
          after[from].push_back(to);
          ++waiting[to];
        }
    std::vector<size_t> ready;
    for (size_t node = 0; node < before.size(); ++node)
      if (waiting[node] == 0)
        ready.push_back(node);
    for (size_t next = 0; next < ready.size(); ++next)
      for (size_t to : after[ready[next]]) {
        cells[to].row = std::max(cells[to].row, cells[ready[next]].row + 1);
        if (--waiting[to] == 0)
          ready.push_back(to);
      }
  }

  void addEdge(size_t from, size_t to) {
    std::vector<size_t> way = {from};
    for (size_t row = cells[from].row + 1; row < cells[to].row && lanes < kMaxLanes; ++row) {
      Cell lane;
      lane.isNode = false;
      lane.row = row;
      way.push_back(cells.size());
      cells.push_back(lane);
      ++lanes;
    }
    way.push_back(to);
    for (size_t i = 1; i < way.size(); ++i)
      if (cells[way[i - 1]].row + 1 == cells[way[i]].row) {
        cells[way[i - 1]].below.push_back(way[i]);
        cells[way[i]].above.push_back(way[i - 1]);
      }
    ways.push_back(std::move(way));
  }

  void fillRows() {
    for (size_t cell = 0; cell < cells.size(); ++cell) {
      rows.resize(std::max(rows.size(), cells[cell].row + 1));
      rows[cells[cell].row].push_back(cell);
    }
    number();
  }

  void number() {
    for (const auto &row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        cells[row[i]].order = double(i) - double(row.size()) / 2;
  }

  /// Each cell to the mean place of its neighbours in the row before (or, upwards, after).
  void sortRows(bool down) {
    for (size_t i = 0; i < rows.size(); ++i) {
      auto &row = rows[down ? i : rows.size() - 1 - i];
      for (size_t cell : row) {
        const auto &neighbours = down ? cells[cell].above : cells[cell].below;
        if (neighbours.empty())
          continue;
        double sum = 0;
        for (size_t other : neighbours)
          sum += cells[other].order;
        cells[cell].order = sum / double(neighbours.size());
      }
      std::ranges::stable_sort(row, {}, [&](size_t cell) { return cells[cell].order; });
      for (size_t at = 0; at < row.size(); ++at)
        cells[row[at]].order = double(at) - double(row.size()) / 2;
    }
  }

  void placeRows() {
    std::vector<int> widths;
    for (const auto &row : rows) {
      int width = -kGap;
      for (size_t cell : row)
        width += cells[cell].width() + kGap;
      widths.push_back(width);
      full = std::max(full, width);
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      int x = kMargin + (full - widths[i]) / 2;
      for (size_t cell : rows[i]) {
        cells[cell].x = x;
        x += cells[cell].width() + kGap;
      }
    }
  }

  GraphLayout result() const {
    GraphLayout layout;
    auto top = [&](size_t cell) {
      return kMargin + int(cells[cell].row) * GraphLayout::kRowHeight;
    };
    for (size_t node = 0; node < before.size(); ++node)
      layout.nodes.push_back({cells[node].x, top(node)});
    for (const auto &way : ways) {
      GraphLayout::Edge edge{way.front(), way.back(), {}};
      for (size_t cell : way) {
        if (cell != way.front())
          edge.points.push_back({cells[cell].middle(), top(cell)});
        if (cell != way.back())
          edge.points.push_back({cells[cell].middle(), top(cell) + GraphLayout::kNodeHeight});
      }
      layout.edges.push_back(std::move(edge));
    }
    layout.width = full + 2 * kMargin;
    layout.height = 2 * kMargin + int(rows.size()) * GraphLayout::kRowHeight;
    return layout;
  }

  const std::vector<std::vector<size_t>> &before;
  std::vector<Cell> cells; ///< the nodes, then free places
  std::vector<std::vector<size_t>> rows, ways;
  size_t lanes = 0;
  int full = 0;
};

} // namespace

GraphLayout layOut(const std::vector<std::vector<size_t>> &before) { return Layout(before).make(); }

} // namespace tenon::cli
