#pragma once

#include <vector>

#include "src/oracle/tours.h"

namespace dray {

// Applies improving moves until none is left:
//   relocate  moves a request to a better place, on its own or another route
//   2-opt*    exchanges the tails of two routes where no pair is on board
//   swap      exchanges two requests of two routes, each to its best place there
class LocalSearch {
 public:
  // Swaps take time quadratic in the number of requests and are skipped for larger problems.
  explicit LocalSearch(int most_requests_for_swap = 200) : most_for_swap_(most_requests_for_swap) {}

  void Run(TourBook& book, Tours& tours);

  // Each runs one pass and returns true if it improved the tours.
  bool Relocate(TourBook& book, Tours& tours);
  bool ExchangeTails(TourBook& book, Tours& tours);
  bool Swap(TourBook& book, Tours& tours);

 private:
  // A route without one of its requests.
  struct Without {
    Route route;
    uint64_t version = 0;  // version of the complete route
    bool feasible = false;
    int64_t gain = 0;  // travel saved
  };

  const Without& RouteWithout(TourBook& book, const Tours& tours, int request);
  bool RelocateOne(TourBook& book, Tours& tours, int request);
  bool SwapTwo(TourBook& book, Tours& tours, int first, int second);
  bool ExchangeTailsOf(TourBook& book, Tours& tours, int first, int second);
  // Gives a slot new stops and assigns their requests to it.
  void Assign(TourBook& book, Tours& tours, int slot, const std::vector<int>& stops);

  int most_for_swap_;
  std::vector<Without> without_;  // indexed by request
  std::vector<int> first_stops_;
  std::vector<int> second_stops_;
  Route scratch_;
};

}  // namespace dray
