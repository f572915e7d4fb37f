#pragma once

#include <utility>
#include <vector>

#include "src/oracle/route_crossing.h"
#include "src/oracle/ruin_recreate_search.h"

namespace dray {

// Minimises the number of vehicles, then travel. The quality of a plan with few vehicles is decided
// when its last route is dissolved: after that, annealing rarely regroups the requests. The search
// therefore keeps a pool of plans that exchange routes:
//   founders  two per search, each with a quarter of the rounds: annealed with as many vehicles as
//             pay off, reduced route by route (up to 15 times as many rounds, each several times
//             cheaper), then annealed with the vehicles left
//   children  until 6 * rounds * searches are spent: crossed from two plans and annealed briefly;
//             a child that beats its first parent replaces it
class FewestVehiclesSearch {
 public:
  // Uses the memory of `search`.
  FewestVehiclesSearch(const RuinRecreateOptions& options, RuinRecreateSearch& search)
      : options_(options), search_(search) {}

  OracleAnswer Run(const Problem& problem);

 private:
  void Found();
  void Breed();
  // Crosses two plans of the pool and keeps the child if it is good enough. Returns the number of
  // rounds spent, at least 1.
  int BreedOne(int rounds);
  // Drops plans with more vehicles than the best one, as long as two plans are left.
  void KeepFewest();
  void Keep(const Tours& child, size_t parent);
  // Lower is better: absent requests, then vehicles (through the search's reluctance), then travel.
  std::pair<size_t, int64_t> Rank(const Tours& tours) const {
    return {tours.absent.size(), search_.book().Cost(tours)};
  }
  size_t founders() const { return size_t{2} * options_.searches; }

  const RuinRecreateOptions& options_;
  RuinRecreateSearch& search_;
  RouteCrossing crossing_;
  std::vector<Tours> pool_;  // best first
};

}  // namespace dray
