#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/oracle/tours.h"

namespace dray {

// Makes a plan of two: `first`, with some routes of `second` in place of those of its own that have
// most in common with them (Nagata and Kobayashi 2010). Whole routes are what two good plans of the
// same problem can hand on to each other; what annealing hardly finds is which requests belong
// together.
class RouteCrossing {
 public:
  // `near`: nodes; the routes of `second` that they are on are taken, in that order, until there
  // are so many. `child` keeps to the book's limit of vehicles; requests that find no place are
  // absent.
  void Cross(TourBook& book, const Tours& first, const Tours& second, std::span<const int> near,
             int routes, Tours& child);

 private:
  void Choose(TourBook& book, const Tours& second, std::span<const int> near, int routes);
  void MakeRoom(TourBook& book, const Tours& first, Tours& child);
  void Take(TourBook& book, const Tours& second, Tours& child);

  std::vector<int> chosen_;        // slots of the second
  std::vector<uint8_t> is_taken_;  // by request: on one of these
  std::vector<int> common_;        // by slot of the first: requests taken
  std::vector<int> own_;           // slots of the first, most in common first
};

}  // namespace dray
