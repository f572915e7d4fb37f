#pragma once

#include <cstdint>
#include <vector>

#include "src/envs/waves/day.h"
#include "src/envs/waves/instance.h"

namespace dray::waves {

// Routes that grow by cheapest insertion: a quick estimate of what the search will find.
class Sketch {
 public:
  // A place in the routes; a position in the route after the last one means a new route.
  struct Slot {
    int route = 0;
    int position = 0;
    int64_t cost = 0;  // driving time added, in seconds
  };

  Sketch(const Instance& instance, Ticks departure);

  // Returns the cheapest slot at which the request can be served. The request alone on a route must
  // be possible.
  Slot Cheapest(const Request& request) const;
  void Insert(const Request& request) { Insert(request, Cheapest(request)); }
  void Insert(const Request& request, const Slot& slot);

  // Driving time of all routes in seconds.
  int64_t cost() const { return cost_; }
  Routes routes() const;

 private:
  struct Visit {
    Request request;
    Ticks begins = 0;  // earliest begin of its service
    Ticks latest = 0;  // latest arrival that keeps this visit and all later ones in time
  };
  struct Route {
    int64_t load = 0;
    std::vector<Visit> visits;
  };

  // Returns whether the request can be served before visit `position` of the route, and computes
  // the driving time that it adds.
  bool Fits(const Route& route, int position, const Request& request, int64_t* cost) const;
  void Reschedule(Route& route) const;

  const Instance* instance_;
  Ticks leaves_;
  std::vector<Route> routes_;
  int64_t cost_ = 0;
};

}  // namespace dray::waves
