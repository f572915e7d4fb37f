#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/oracle/tours.h"

namespace dray {

// Crosses two plans: takes `first` and replaces some of its routes by routes of `second` that share
// the most requests with them (Nagata and Kobayashi 2010). Plans exchange whole routes because
// annealing rarely finds which requests belong together.
class RouteCrossing {
 public:
  // Takes up to `routes` routes of `second`: those that visit the nodes `near`, in that order.
  // `child` respects the book's vehicle limit; requests that fit nowhere are absent.
  void Cross(TourBook& book, const Tours& first, const Tours& second, std::span<const int> near,
             int routes, Tours& child);

 private:
  void Choose(TourBook& book, const Tours& second, std::span<const int> near, int routes);
  void MakeRoom(TourBook& book, const Tours& first, Tours& child);
  void Take(TourBook& book, const Tours& second, Tours& child);

  std::vector<int> chosen_;        // slots of `second`
  std::vector<uint8_t> is_taken_;  // indexed by request: is on a chosen route
  std::vector<int> common_;        // indexed by slot of `first`: number of its requests taken
  std::vector<int> own_;           // slots of `first`, most in common first
};

}  // namespace dray
