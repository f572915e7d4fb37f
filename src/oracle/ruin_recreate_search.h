#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/local_search.h"
#include "src/oracle/recreate.h"
#include "src/oracle/ruin.h"
#include "src/oracle/ruin_recreate.h"
#include "src/oracle/search_round.h"
#include "src/oracle/tours.h"

namespace dray {

// Runs one ruin-and-recreate search at a time. A round changes a copy of the current tours, then
// copies the changed routes one way or the other. Rounds allocate no memory.
class RuinRecreateSearch {
 public:
  explicit RuinRecreateSearch(const RuinRecreateOptions& options);
  RuinRecreateSearch(const RuinRecreateSearch&) = delete;
  RuinRecreateSearch& operator=(const RuinRecreateSearch&) = delete;

  // Searches from `start`, or from nothing if it is null. `search` selects the random stream.
  OracleAnswer Run(const Problem& problem, const Plan* start, int rounds, int search);

  // Steps of a search for few vehicles, which works on several plans at once. All of them are of
  // the problem loaded last; Found and Continue leave the result in best().
  void Load(const Problem& problem, const Plan* start);
  // Selects another random stream.
  void Reseed(int search);
  // Builds a new plan with as few vehicles as it can.
  void Found(int rounds);
  // Serves the requests absent from current() and anneals it from a low temperature. Gives up if
  // more than `absent` requests are still unserved after `rounds` rounds. Returns the rounds spent.
  int Continue(int rounds, size_t absent);
  const Tours& best() const { return best_; }
  Tours& current() { return current_; }
  TourBook& book() { return book_; }
  Rng& rng() { return rng_; }
  OracleAnswer Finished(Tours& tours);
  // Returns all stops, nearest first, beginning with the node itself.
  std::span<const int> Nearest(int node) { return nearest_.Of(node, book_.table()); }

 private:
  // Starts from a plan, or from nothing, and inserts absent requests.
  void Begin(const Plan* start);
  // Runs rounds at a temperature that falls from the first, in mean legs, to the last.
  void Anneal(int rounds, double first_temperature);
  // Anneals with as many vehicles as pay off. Plans with the fewest vehicles are too tight to be
  // rebuilt, so a plan must be good before its routes are dissolved.
  void AnnealFreely(int rounds);
  // Dissolves route after route and searches places for its requests.
  void ReduceVehicles(int rounds);
  // Runs up to `most` rounds until no request is absent. Returns their number.
  int ServeAbsent(int most);
  void Dissolve(int slot);
  void Round(double temperature);
  // Travel per stop, the unit of temperatures.
  double MeanLeg();
  bool Accepts(double temperature);
  int64_t AbsenceSum(const Tours& tours) const;
  void KeepIfBest();

  RuinRecreateOptions options_;
  Ruin ruin_;
  Recreate recreate_;
  Rng rng_{0, RngPurpose::kOracle, 0};
  TourBook book_;
  LocalSearch local_search_;
  NearestNodes nearest_;
  Tours current_;
  Tours candidate_;
  Tours best_;
  RoundChanges changes_;           // difference of current_ and candidate_
  std::vector<int64_t> absences_;  // indexed by request: rounds that ended without it
};

}  // namespace dray
