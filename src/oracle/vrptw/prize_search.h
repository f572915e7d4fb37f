#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/oracle/vrptw/prize_problem.h"
#include "src/oracle/vrptw/prize_routes.h"

namespace dray {

struct PrizeSearchOptions {
  uint64_t seed = 0;
  double removed_stops = 15;  // mean number of stops removed per round
  int longest_string = 10;    // longest run of adjacent stops removed from one route
  double split_share = 0.5;   // share of strings that keep some of their stops
  double blink_rate = 0.01;   // share of gaps that are overlooked
  int neighbours = 40;        // a stop is inserted before or after one of these
  // Temperatures of simulated annealing; unit: mean travel per stop.
  double first_temperature = 0.7;
  double last_temperature = 0.03;
};

// Searches a plan of low cost by ruin and recreate with slack induction (Christiaens and Vanden
// Berghe 2020). A round removes strings of adjacent stops near a place and inserts them again, each
// at its cheapest gap; simulated annealing accepts or rejects the result. Stops with a prize are
// inserted where that costs less than the prize. A round takes a few microseconds however many
// stops there are, since only gaps beside near neighbours are tried.
class PrizeSearch {
 public:
  // `problem` must outlive the search. A mandatory stop that no vehicle can serve is an Error.
  PrizeSearch(const PrizeProblem& problem, const PrizeSearchOptions& options);

  // Starts from these routes, which must be feasible; other stops are inserted.
  void Start(const std::vector<std::vector<int>>& routes);
  // Anneals for this many rounds; deterministic.
  void Run(int64_t rounds);
  // Anneals for this long, in seconds of wall-clock time. Returns the number of rounds.
  int64_t RunFor(double seconds);

  // Returns the best plan so far.
  PrizePlan Best() const;
  int64_t best_cost() const { return best_cost_; }

 private:
  // A route before the changes of the current round.
  struct Changed {
    int route;
    std::vector<int> stops;
  };

  void SortNeighbours();
  void Round(double temperature);
  void Ruin();
  void RemoveString(int stop, int length);
  void AddUnserved(int seed);
  void Recreate();
  bool TryInsert(int stop);
  void SortRemoved();
  // Remembers a route before its first change in a round.
  void Keep(int route);
  void TakeBack();
  int64_t Cost() const { return routes_.travel() + unserved_prizes_; }
  void KeepIfBest();
  // Returns true for a gap that is to be overlooked.
  bool Blinks();

  const PrizeProblem* problem_;
  PrizeSearchOptions options_;
  Rng rng_;
  PrizeRoutes routes_;
  // Candidates for the place before each stop and after it, and the stops nearest to it.
  std::vector<std::vector<PrizeRoutes::Neighbour>> before_;
  std::vector<std::vector<PrizeRoutes::Neighbour>> after_;
  std::vector<std::vector<int>> near_;
  double mean_leg_ = 1;
  std::vector<int> removed_;
  std::vector<std::pair<int64_t, int>> keyed_;
  std::vector<Changed> changed_;
  size_t changed_count_ = 0;
  std::vector<uint8_t> is_changed_;  // by route
  int64_t unserved_prizes_ = 0;
  int until_blink_ = 0;
  std::vector<std::vector<int>> best_;
  int64_t best_cost_ = 0;
};

}  // namespace dray
