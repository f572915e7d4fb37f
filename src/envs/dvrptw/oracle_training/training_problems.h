#pragma once

#include <cstdint>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/riders.h"
#include "src/routing/problem.h"

namespace dray {

// Problems that the neural oracle learns from: mostly what the delivery task asks (cities and
// riders of its generator, windows as they are or shifted), and some of single stops in the manner
// of Solomon's files.
class TrainingProblems {
 public:
  struct Options {
    uint64_t seed = 1;
    int cities = 128;
    int most_requests = 30;
    double single_share = 0.2;  // of problems of single stops
    double variety = 0.25;      // of deliveries with another fleet than the task's usual one
  };

  // Generates the cities, on so many threads.
  TrainingProblems(const Options& options, int threads);

  // Any of the kinds.
  Problem Draw(int requests, Rng& rng) const;
  // A delivery problem with the usual fleet: 4 seats, 5 free vehicles, 50 minutes for a further
  // one.
  Problem DrawDelivery(int requests, Rng& rng) const;
  static Problem DrawSingles(int requests, Rng& rng);

 private:
  struct Town {
    City city;
    std::vector<Rider> riders;
  };

  Options options_;
  std::vector<Town> towns_;
};

}  // namespace dray
