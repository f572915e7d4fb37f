#include "src/oracle/nearest_nodes.h"

#include <algorithm>

namespace dray {

void NearestNodes::Load(const StopTable& table) {
  const size_t nodes = table.problem().stops.size();
  rows_.resize(std::max(rows_.size(), nodes * nodes));
  is_sorted_.assign(nodes, 0);
  keyed_.reserve(nodes);
}

std::span<const int> NearestNodes::Of(int node, const StopTable& table) {
  const size_t count = is_sorted_.size();
  int* row = rows_.data() + node * count;
  if (!is_sorted_[node]) {
    is_sorted_[node] = 1;
    keyed_.clear();
    for (int other = 0; other < std::ssize(is_sorted_); ++other) {
      const int64_t there_and_back = int64_t{table.Travel(node, other)} + table.Travel(other, node);
      keyed_.emplace_back(other == node ? -1 : there_and_back, other);
    }
    std::sort(keyed_.begin(), keyed_.end());
    for (size_t i = 0; i < count; ++i) row[i] = keyed_[i].second;
  }
  return {row, count};
}

}  // namespace dray
