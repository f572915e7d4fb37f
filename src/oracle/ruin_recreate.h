#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"

namespace dray {

struct RuinRecreateOptions {
  int rounds = 1000;
  uint64_t seed = 0;
  // Number of independent searches; the best result is the answer. With `fewest_vehicles`, twice as
  // many plans are started and bred from one another.
  int searches = 1;
  // Minimises vehicles before travel; see FewestVehiclesSearch for the use of the rounds.
  bool fewest_vehicles = false;
  // Counts finished rounds, for reading from another thread; may be null.
  std::atomic<int64_t>* rounds_done = nullptr;

  // Search parameters; the defaults were tuned on benchmark files of 25 to 100 stops.
  double removed_stops = 10;       // mean number of stops removed per round
  int longest_string = 12;         // longest run of adjacent stops removed from one route
  double split_share = 0.5;        // share of strings that keep one of their stops
  double near_share = 0.4;         // share of rounds that remove nearest stops of any route
  double cut_share = 0.25;         // share of rounds that first cut a route in two
  double blink_rate = 0.05;        // share of route scans that skip half of the positions
  double first_temperature = 1.0;  // unit: mean cost of a stop
  double last_temperature = 0.01;
};

// Returns the number of rounds for one problem; with `fewest_vehicles`, an upper bound.
int64_t MostRounds(const RuinRecreateOptions& options);

class RuinRecreateSearch;

// Ruin and recreate by slack induction (Christiaens and Vanden Berghe 2020). Each round removes
// strings of neighbouring stops from a few nearby routes, reinserts their requests one by one at
// the cheapest place, and is accepted or rejected by simulated annealing. Local search improves the
// final plan. Requests that fit nowhere stay absent; a round that leaves out fewer requests, or
// requests that were absent less often, is accepted.
class RuinRecreateOracle : public Oracle {
 public:
  explicit RuinRecreateOracle(RuinRecreateOptions options);
  ~RuinRecreateOracle() override;

  std::string name() const override { return "ruin_recreate"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

  // Continues from the plans: first inserts requests that are missing or no longer fit. With 0
  // rounds, only local search follows. Never worse than a feasible plan; deterministic.
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  OracleAnswer LeastTravel(const Problem& problem);

  RuinRecreateOptions options_;
  std::unique_ptr<RuinRecreateSearch> search_;  // memory is reused between calls
};

}  // namespace dray
