#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "src/oracle/search_round.h"

namespace dray {

// The second half of a round: inserts the absent requests one by one, each at its cheapest place,
// in an order drawn at random. Requests that fit nowhere stay absent.
class Recreate {
 public:
  // `blink_rate`: see TourBook::CheapestBlinking.
  explicit Recreate(double blink_rate) : blink_rate_(blink_rate) {}

  void Load(size_t nodes) { keyed_.reserve(nodes); }
  void Apply(SearchRound& round);

 private:
  void SortAbsent(SearchRound& round);

  double blink_rate_;
  std::vector<std::pair<int64_t, int>> keyed_;
};

}  // namespace dray
