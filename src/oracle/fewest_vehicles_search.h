#pragma once

#include <utility>
#include <vector>

#include "src/oracle/route_crossing.h"
#include "src/oracle/ruin_recreate_search.h"

namespace dray {

// Fewest vehicles first, then least travel. How good a plan of few vehicles gets is decided when
// its last route is dissolved: annealing hardly finds which requests belong together after that.
// So there are many plans, and they hand routes on to each other:
//   founders  two for each of the `searches`, of a quarter of the rounds each: annealed with as
//   many
//             vehicles as pay, reduced route by route (up to 15 times as many rounds, of which each
//             is several times cheaper), annealed with what is left
//   children  until 6 * rounds * searches are spent: crossed from two plans and annealed for a
//             moment; one that is better than its first parent takes its place
class FewestVehiclesSearch {
 public:
  // Works with the search's memory.
  FewestVehiclesSearch(const RuinRecreateOptions& options, RuinRecreateSearch& search)
      : options_(options), search_(search) {}

  OracleAnswer Run(const Problem& problem);

 private:
  void Found();
  void Breed();
  // Crosses two plans of the pool and keeps what comes of it, if that is good. Returns the rounds
  // spent, at least 1.
  int BreedOne(int rounds);
  // Plans with more vehicles than the best have nothing to hand on, while two others are left.
  void KeepFewest();
  void Keep(const Tours& child, size_t parent);
  // Less is better: who is absent, then vehicles (by the search's reluctance), then travel.
  std::pair<size_t, int64_t> Rank(const Tours& tours) const {
    return {tours.absent.size(), search_.book().Cost(tours)};
  }
  size_t founders() const { return 2 * static_cast<size_t>(options_.searches); }

  const RuinRecreateOptions& options_;
  RuinRecreateSearch& search_;
  RouteCrossing crossing_;
  std::vector<Tours> pool_;  // the best first
};

}  // namespace dray
