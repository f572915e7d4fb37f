#include "src/oracle/neural/order_insertion.h"

#include <utility>

#include "src/base/error.h"

namespace dray {

void OrderInsertion::Insert(std::span<const int> order) {
  DRAY_CHECK_EQ(static_cast<int>(order.size()), book_.requests());
  book_.Clear(tours_);
  tours_.absent.assign(order.begin(), order.end());
  book_.InsertAbsent(tours_);
}

PlanCost OrderInsertion::Price(std::span<const int> order) {
  Insert(order);
  return book_.CostOf(tours_);
}

OracleAnswer OrderInsertion::Best(const Orders& orders) {
  const auto requests = static_cast<size_t>(book_.requests());
  if (requests == 0) return {};
  size_t best = 0;
  std::pair<int, int64_t> lowest;
  for (size_t start = 0; start < orders.size(); start += requests) {
    const PlanCost cost = Price(std::span(orders).subspan(start, requests));
    const std::pair<int, int64_t> key(cost.unserved, cost.total());
    if (start == 0 || key < lowest) {
      lowest = key;
      best = start;
    }
  }
  // The last order's tours are still here.
  if (best + requests != orders.size()) Insert(std::span(orders).subspan(best, requests));
  return book_.Answer(tours_);
}

}  // namespace dray
