#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/local_search.h"
#include "src/oracle/ruin_recreate.h"
#include "src/oracle/tours.h"

namespace dray {

// One ruin-and-recreate search at a time. `current_` is what annealing stands on; a round changes
// `candidate_`, its twin, and then copies the routes that were touched one way or the other. Rounds
// allocate nothing.
class RuinRecreateSearch {
 public:
  explicit RuinRecreateSearch(const RuinRecreateOptions& options)
      : options_(options), style_{options.removed_stops, options.near_share} {}

  // Begins with what `start` holds, if given. `search` names the stream of random numbers.
  OracleAnswer Run(const Problem& problem, const Plan* start, int rounds, int search);

  // The steps of a search for few vehicles, which stands on several plans at once. All of them are
  // of the problem loaded last; Found and Continue end with the answer in best().
  void Load(const Problem& problem, const Plan* start);
  // Draws from another stream of random numbers from now on.
  void Reseed(int search);
  // A plan of its own, from nothing, of as few vehicles as it comes to.
  void Found(int rounds);
  // Serves who is absent from current() and anneals it from a low temperature. Leaves off once more
  // requests than `absent` find no place in as many rounds. Returns the rounds spent.
  int Continue(int rounds, size_t absent);
  const Tours& best() const { return best_; }
  Tours& current() { return current_; }
  TourBook& book() { return book_; }
  Rng& rng() { return rng_; }
  OracleAnswer Finished(Tours& tours);
  // All nodes, the nearest to this one first; itself included.
  std::span<const int> Nearest(int node);

 private:
  // What a round takes off.
  struct RuinStyle {
    double removed_stops = 0;
    double near_share = 0;
  };

  // No routes but those of `start`; what is absent inserted.
  void Begin(const Plan* start);
  // Rounds of a temperature that falls from the first, in mean legs, to the last.
  void Anneal(int rounds, double first_temperature);
  // The same with as many vehicles as pay. What has the fewest vehicles can hardly be rebuilt,
  // since no request finds another place: whatever is to be dissolved must be a good plan
  // beforehand.
  void AnnealFreely(int rounds);
  // Dissolves route after route and searches places for its requests.
  void ReduceVehicles(int rounds);
  // Rounds until nobody is absent, at most so many. Returns how many they were.
  int ServeAbsent(int most);
  int LeastVehicles();
  void Dissolve(int slot);

  void Round(double temperature);
  void Ruin();
  // Travel by stop, the unit of temperatures.
  double MeanLeg();
  // A stop about which to ruin.
  int SeedNode();
  // Gives what follows a stop on its route to a vehicle of its own, where no pair is on board.
  void CutRoute(int node);
  void RuinNearest();
  void RuinStrings();
  void RuinString(int slot, int node, int length);
  void Recreate();
  void SortAbsent();
  int64_t SortKey(int order, int request);
  bool Accepts(double temperature);
  int64_t AbsenceSum(const Tours& tours) const;
  void Touch(int slot);
  void CopyTouched(const Tours& from, Tours& to);
  void KeepIfBest();

  RuinRecreateOptions options_;
  RuinStyle style_;
  Rng rng_{0, RngPurpose::kOracle, 0};
  TourBook book_;
  LocalSearch local_search_;
  Tours current_;
  Tours candidate_;
  Tours best_;

  std::vector<int> touched_;          // slots, this round
  std::vector<uint8_t> is_touched_;   // by slot
  std::vector<uint8_t> is_ruined_;    // by slot
  std::vector<int> moved_;            // requests, this round
  std::vector<int64_t> absences_;     // by request: rounds that ended without it
  std::vector<int> nearest_;          // rows by node
  std::vector<uint8_t> has_nearest_;  // by node
  std::vector<std::pair<int64_t, int>> keyed_;
  std::vector<int> head_;  // of a route that is cut
  std::vector<int> tail_;
  Route head_route_;
  Route tail_route_;
};

}  // namespace dray
