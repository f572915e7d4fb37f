#pragma once

#include <cstdint>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/city.h"
#include "src/envs/dvrptw/riders.h"
#include "src/routing/problem.h"

namespace dray::dvrptw {

// Generates the problems that the neural oracle learns from: mostly those of the delivery task (its
// cities and riders, windows with and without shifts), and some with single stops like Solomon's.
class TrainingProblems {
 public:
  struct Options {
    uint64_t seed = 1;
    int cities = 128;
    int most_requests = 30;
    double single_share = 0.2;  // share of problems with single stops
    double variety = 0.25;      // share of deliveries with an unusual fleet
  };

  // Generates the cities on this number of threads.
  TrainingProblems(const Options& options, int threads);

  // Draws a problem of any kind.
  Problem Draw(int requests, Rng& rng) const;
  // Draws a delivery problem with the usual fleet: 4 seats, 5 free vehicles, 50 minutes for a
  // further vehicle.
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

}  // namespace dray::dvrptw
