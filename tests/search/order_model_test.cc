#include "src/search/order_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/rng.h"
#include "src/search/order_kernel.h"

namespace dray {
namespace {

const SquareMatrix& Kernel() {
  static const SquareMatrix kernel = OrderCovariance(SearchConfig(), Orders(5));
  return kernel;
}

// Scores that scatter by more than their episodes do, some orders twice.
std::vector<Observation> RandomScores(uint64_t seed, double episodes) {
  Rng rng(seed, RngPurpose::kTest, 0);
  std::vector<Observation> scores;
  for (int i = 0; i < 30; ++i) {
    scores.push_back(
        {static_cast<int>(rng.Below(20)), 2 * rng.Normal(), episodes * rng.Uniform(0.5, 1.5)});
  }
  return scores;
}

TEST(FitVariance, IsTheLikeliestVariance) {
  for (const double episodes : {1e-6, 0.3, 3.0}) {
    for (const double share : {0.0, 0.2, 0.9}) {
      const auto scores = RandomScores(3, episodes);
      const OrderModel model = FitVariance(Kernel(), scores, share);
      const auto likelihood_at = [&](double variance) {
        return Condition(Kernel(), {.variance = variance, .order_share = share}, scores)
            .restricted_log_likelihood();
      };
      EXPECT_NEAR(model.log_likelihood, likelihood_at(model.variance), 1e-9);
      EXPECT_GT(model.log_likelihood, likelihood_at(1.1 * model.variance));
      EXPECT_GT(model.log_likelihood, likelihood_at(model.variance / 1.1));
    }
  }
}

TEST(FitVariance, WithoutOrdersIsTheVarianceOfTheScores) {
  std::vector<Observation> scores;
  for (int i = 0; i < 4; ++i) scores.push_back({i, static_cast<double>(i), 1e-9});
  EXPECT_NEAR(FitVariance(Kernel(), scores, 0).variance, 5.0 / 3, 1e-6);
}

TEST(FitVariance, WhatEpisodesExplainIsLeftToThem) {
  const OrderModel model = FitVariance(Kernel(), RandomScores(3, 100), 0.5);
  EXPECT_LT(model.variance, 0.1);
  EXPECT_TRUE(std::isfinite(model.log_likelihood));
}

TEST(FitModel, SeesWhetherOrdersOrSeedsMakeTheDifference) {
  double of_seeds = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng(seed, RngPurpose::kTest, 0);
    std::vector<Observation> by_order, by_seed;
    for (int order = 0; order < 120; order += 2) {
      by_order.push_back({order, 10 * Kernel()(order, 0) + 0.1 * rng.Normal(), 1e-6});
      by_seed.push_back({order, rng.Normal(), 1e-6});
    }
    EXPECT_EQ(FitModel(Kernel(), by_order).order_share, 0.9);
    of_seeds += FitModel(Kernel(), by_seed).order_share / 10;
  }
  EXPECT_LT(of_seeds, 0.2);
}

TEST(FitModel, FewerThanThreeDifferentScoresTellNothing) {
  for (const std::vector<Observation>& scores :
       {std::vector<Observation>{}, {{0, 1, 0.1}}, {{0, 1, 0.1}, {1, -1, 0.1}, {2, 1, 0.1}}}) {
    const OrderModel model = FitModel(Kernel(), scores);
    EXPECT_EQ(model.order_share, 0.5);
    EXPECT_EQ(model.variance, 1);
  }
}

TEST(LikelyModels, HaveProbabilitiesOfWhichTheFittedOneIsTheHighest) {
  const auto scores = RandomScores(5, 0.1);
  const OrderModel fitted = FitModel(Kernel(), scores);
  double sum = 0;
  for (const auto& [model, probability] : LikelyModels(Kernel(), scores)) {
    sum += probability;
    EXPECT_LE(model.log_likelihood, fitted.log_likelihood);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace dray
