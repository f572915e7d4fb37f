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
  // Independent searches, of which the best is the answer. With `fewest_vehicles` they are not:
  // plans are bred from one another, and twice as many begin.
  int searches = 1;
  // Vehicles count before travel: FewestVehiclesSearch says what the rounds are spent on.
  bool fewest_vehicles = false;
  // Counts the rounds that are done, for whoever watches from another thread; null: nobody does.
  std::atomic<int64_t>* rounds_done = nullptr;

  // How the search goes; the defaults were tuned on benchmark files of 25 to 100 stops.
  double removed_stops = 10;  // by a round, on average
  int longest_string = 12;    // of stops next to each other that one route loses
  double split_share = 0.5;   // of the strings that keep a stop in their middle
  double near_share = 0.4;    // of the rounds that take the nearest stops, wherever they are
  double cut_share = 0.25;    // of the rounds that first cut a route in two, for a vehicle more
  double blink_rate = 0.05;   // of the looks at a route that miss half of it
  double first_temperature = 1.0;  // in mean costs of a stop
  double last_temperature = 0.01;
};

// The rounds that they come to, for one problem; with `fewest_vehicles`, at most.
int64_t MostRounds(const RuinRecreateOptions& options);

class RuinRecreateSearch;

// Ruin and recreate by slack induction (Christiaens and Vanden Berghe 2020): each round takes
// strings of neighbouring stops off a few routes that are near each other, puts their requests back
// one by one where they cost least, and is kept as simulated annealing decides. Local search
// finishes what is found. Requests that find no place stay absent; a round that leaves out fewer,
// or such as were absent less often, is kept.
class RuinRecreateOracle : public Oracle {
 public:
  explicit RuinRecreateOracle(RuinRecreateOptions options);
  ~RuinRecreateOracle() override;

  std::string name() const override { return "ruin_recreate"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

  // Goes on from the plans: what one lacks (a request that was added) or what no longer fits (a
  // window that moved) is inserted first. With 0 rounds that, and local search, is all. Never worse
  // than the plan, if that was feasible; the same problem and plan give the same answer.
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  OracleAnswer LeastTravel(const Problem& problem);

  RuinRecreateOptions options_;
  std::unique_ptr<RuinRecreateSearch> search_;  // its memory is kept from call to call
};

}  // namespace dray
