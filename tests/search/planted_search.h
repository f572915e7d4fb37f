#pragma once

#include <cstdint>
#include <vector>

#include "src/search/order_search.h"

namespace dray {

// Searches over orders whose worth is known: in units of the seeds' luck, whose variance is 1.
class PlantedSearches {
 public:
  // Variance of a score by its episodes.
  static constexpr double kEpisodeNoise = 0.05;

  explicit PlantedSearches(const SearchConfig& config);

  // A smooth value for every order, drawn from the kernel's Gaussian process; of mean 0 and this
  // standard deviation over orders.
  std::vector<double> Effect(double deviation, uint64_t seed) const;
  // A whole search in which every order is worth its effect.
  OrderSearch Search(const std::vector<double>& effect, int trainings, uint64_t seed) const;

  static TrialResult Score(double mean);

 private:
  OrderSearch settings_;
  SquareMatrix root_;  // lower triangular; times standard normals it draws from the process
};

// The upper one of an even number.
double MedianOf(std::vector<double> values);

}  // namespace dray
