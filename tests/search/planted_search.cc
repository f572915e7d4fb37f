#include "tests/search/planted_search.h"

#include <algorithm>
#include <cmath>

#include "src/base/rng.h"

namespace dray {
namespace {

SquareMatrix Root(const SquareMatrix& kernel) {
  SquareMatrix root(kernel.size());
  for (int i = 0; i < kernel.size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = kernel(i, j);
      for (int k = 0; k < j; ++k) sum -= root(i, k) * root(j, k);
      root(i, j) = i == j ? std::sqrt(sum) : sum / root(j, j);
    }
  }
  return root;
}

}  // namespace

PlantedSearches::PlantedSearches(const SearchConfig& config)
    : settings_(config, 5, 1), root_(Root(settings_.kernel())) {}

std::vector<double> PlantedSearches::Effect(double deviation, uint64_t seed) const {
  Rng rng(seed, RngPurpose::kTest, 0);
  std::vector<double> normals, effect;
  double mean = 0, squares = 0;
  for (int i = 0; i < root_.size(); ++i) {
    normals.push_back(rng.Normal());
    effect.push_back(0);
    for (int j = 0; j <= i; ++j) effect.back() += root_(i, j) * normals[static_cast<size_t>(j)];
    mean += effect.back() / root_.size();
  }
  for (const double value : effect) squares += (value - mean) * (value - mean) / root_.size();
  for (double& value : effect) value = deviation * (value - mean) / std::sqrt(squares);
  return effect;
}

OrderSearch PlantedSearches::Search(const std::vector<double>& effect, int trainings,
                                    uint64_t seed) const {
  OrderSearch search = settings_.Fresh(seed);
  Rng rng(seed, RngPurpose::kTest, 1);
  while (search.told() < trainings) {
    const int order = search.Next(1)[0].order;
    const double luck = std::sqrt(1 + kEpisodeNoise) * rng.Normal();
    search.Tell(order, Score(-60 + effect[static_cast<size_t>(order)] + luck));
  }
  return search;
}

TrialResult PlantedSearches::Score(double mean) {
  TrialResult result;
  result.episodes = 2;
  result.return_variance = 2 * kEpisodeNoise;
  result.mean_return = mean;
  return result;
}

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace dray
