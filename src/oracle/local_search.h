#pragma once

#include <vector>

#include "src/oracle/tours.h"

namespace dray {

// Moves that improve tours, applied until none does:
//   relocate  one request to a better place, on its own or another route
//   2-opt*    two routes exchange their ends, where no pair is on board
//   swap      two requests of two routes exchange routes, each to its best place there
class LocalSearch {
 public:
  // Swaps are tried for at most so many requests: they are the dear part, quadratic in these.
  explicit LocalSearch(int most_requests_for_swap = 200) : most_for_swap_(most_requests_for_swap) {}

  void Run(TourBook& book, Tours& tours);

  // The passes; true: something improved.
  bool Relocate(TourBook& book, Tours& tours);
  bool ExchangeTails(TourBook& book, Tours& tours);
  bool Swap(TourBook& book, Tours& tours);

 private:
  // A route without one of its requests.
  struct Without {
    Route route;
    uint64_t version = 0;  // of the whole route
    bool feasible = false;
    int64_t gain = 0;  // travel saved
  };

  const Without& RouteWithout(TourBook& book, const Tours& tours, int request);
  bool RelocateOne(TourBook& book, Tours& tours, int request);
  bool SwapTwo(TourBook& book, Tours& tours, int first, int second);
  bool ExchangeTailsOf(TourBook& book, Tours& tours, int first, int second);
  // Gives two slots new stops and their requests new homes.
  void Assign(TourBook& book, Tours& tours, int slot, const std::vector<int>& stops);

  int most_for_swap_;
  std::vector<Without> without_;  // by request
  std::vector<int> first_stops_;
  std::vector<int> second_stops_;
  Route scratch_;
};

}  // namespace dray
