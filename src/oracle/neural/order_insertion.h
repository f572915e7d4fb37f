#pragma once

#include <span>
#include <vector>

#include "src/oracle/neural/order_picker.h"
#include "src/oracle/oracle.h"
#include "src/oracle/tours.h"

namespace dray {

// Inserts the requests of a problem in given orders, each where it costs least. Keeps its memory;
// one object per thread.
class OrderInsertion {
 public:
  // Whose orders come next; it must outlive them.
  void Load(const Problem& problem) { book_.Load(problem); }

  // What the plan costs that an order leads to.
  PlanCost Price(std::span<const int> order);
  // The best plan of several orders, flat; the first of equals. Fewest unserved count first.
  OracleAnswer Best(const Orders& orders);

 private:
  void Insert(std::span<const int> order);

  TourBook book_;
  Tours tours_;
};

}  // namespace dray
