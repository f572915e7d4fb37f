#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "src/search/order_search.h"
#include "src/search/search_curve.h"
#include "tests/search/synthetic_objective.h"

namespace dray {
namespace {

constexpr int kSeeds = 50;
constexpr int kBudget = 20;  // trials after which the regret is looked at

struct Outcome {
  std::vector<double> trials;        // until the optimum was evaluated; 120 when it was not
  std::vector<double> regret;        // of the best by what was seen, after kBudget trials
  std::vector<double> model_regret;  // of the best by the model, likewise
};

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

int ModelChoice(const OrderSearch& search, const std::vector<FinishedTrial>& trials) {
  const std::vector<double> mean = search.Believed().mean;
  return std::ranges::max_element(
             trials, {},
             [&](const FinishedTrial& one) { return mean[static_cast<size_t>(one.trial.order)]; })
      ->trial.order;
}

Outcome Play(const SearchConfig& config, double episode_deviation) {
  Outcome outcome;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    OrderSearch search(config, 5, seed);
    const SyntheticObjective objective(search.orders(), seed);
    Rng rng(seed, RngPurpose::kTest, 2);
    std::vector<FinishedTrial> trials;
    int found = 0;
    while (static_cast<int>(trials.size()) < 120 &&
           (found == 0 || static_cast<int>(trials.size()) < kBudget)) {
      for (const auto& choice : search.Next(config.parallel())) {
        const int order = choice.order;
        const TrialResult result = objective.Sample(order, episode_deviation, 25, rng);
        search.Tell(order, result);
        Trial trial;
        trial.number = static_cast<int>(trials.size()) + 1;
        trial.order = order;
        trials.push_back({trial, result});
        if (trials.size() == kBudget) {
          outcome.model_regret.push_back(
              objective.truth()[static_cast<size_t>(objective.best())] -
              objective.truth()[static_cast<size_t>(ModelChoice(search, trials))]);
        }
        if (found == 0 && order == objective.best()) found = static_cast<int>(trials.size());
      }
    }
    outcome.trials.push_back(found == 0 ? 120 : found);
    const auto head = std::span<const FinishedTrial>(trials).first(kBudget);
    outcome.regret.push_back(CurveOf(search, head, objective.truth()).back().regret_to_optimum);
  }
  return outcome;
}

void Print(const char* name, const Outcome& outcome) {
  std::printf(
      "%-34s trials to the optimum: median %5.1f, mean %5.1f; regret after %d trials: median "
      "%5.2f, mean %5.2f, by the model %5.2f\n",
      name, Median(outcome.trials), Mean(outcome.trials), kBudget, Median(outcome.regret),
      Mean(outcome.regret), Mean(outcome.model_regret));
}

class SearchBeatsRandom : public testing::TestWithParam<double> {};

TEST_P(SearchBeatsRandom, OnASmoothFunctionOverFiftySeeds) {
  const double deviation = GetParam();
  std::printf("Episodes scatter by %g, 25 a trial, %d seeds\n", deviation, kSeeds);
  SearchConfig random;
  random.set_strategy(SearchConfig::RANDOM);
  const Outcome by_chance = Play(random, deviation);
  Print("random", by_chance);

  const auto expect_better = [&](const char* name, const SearchConfig& config) {
    const Outcome outcome = Play(config, deviation);
    Print(name, outcome);
    EXPECT_LT(Median(outcome.trials), 0.7 * Median(by_chance.trials)) << name;
    EXPECT_LT(Mean(outcome.trials), 0.7 * Mean(by_chance.trials)) << name;
    EXPECT_LT(Mean(outcome.regret), 0.7 * Mean(by_chance.regret)) << name;
    if (config.kernel() == SearchConfig::MALLOWS && deviation > 0) {
      EXPECT_LE(Mean(outcome.model_regret), Mean(outcome.regret)) << name;
    }
  };
  SearchConfig config;
  expect_better("gp_ucb, mallows, beta 2", config);
  config.set_parallel(4);
  expect_better("gp_ucb, mallows, beta 2, 4 at once", config);
  config.set_parallel(1);
  config.set_kernel(SearchConfig::KENDALL);
  expect_better("gp_ucb, kendall, beta 2", config);
  // Srinivas' beta explores by itself.
  config.set_random_share(0);
  config.set_beta(SearchConfig::SRINIVAS);
  expect_better("gp_ucb, kendall", config);
  config.set_kernel(SearchConfig::MALLOWS);
  expect_better("gp_ucb, mallows", config);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutNoise, SearchBeatsRandom, testing::Values(0.0, 20.0, 50.0));

TEST(SyntheticObjective, HasOneOptimumAndNeighboursThatAreAlike) {
  const Orders orders(5);
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const SyntheticObjective objective(orders, seed);
    const double best = objective.truth()[static_cast<size_t>(objective.best())];
    EXPECT_EQ(std::ranges::count(objective.truth(), best), 1);
    EXPECT_GT(best - std::ranges::min(objective.truth()), 40);
  }
}

}  // namespace
}  // namespace dray
