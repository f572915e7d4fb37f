#include "src/search/order_effect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "src/base/rng.h"
#include "tests/search/planted_search.h"

namespace dray {
namespace {

constexpr int kSearches = 100;
constexpr int kTrainings = 40;

TrialResult Score(double mean) { return PlantedSearches::Score(mean); }

class OrderEffectTest : public testing::Test {
 protected:
  static OrderSearch Search(const std::vector<double>& effect, int trainings, uint64_t seed) {
    return Planted().Search(effect, trainings, seed);
  }
  static std::vector<double> Effect(double deviation, uint64_t seed) {
    return Planted().Effect(deviation, seed);
  }
  // Of all searches with these settings.
  static const std::vector<double>& Without() {
    static const std::vector<double> without =
        SearchesWithoutEffect(Search(Effect(0, 1), kTrainings, 1), PlantedSearches::kEpisodeNoise);
    return without;
  }

 private:
  static const PlantedSearches& Planted() {
    static const PlantedSearches planted{SearchConfig()};
    return planted;
  }
};

TEST_F(OrderEffectTest, APlantedEffectIsSeenAndTheBestOrderIsGood) {
  int seen = 0, covered = 0;
  double seed_deviation = 0, better_by = 0;
  for (uint64_t seed = 1; seed <= kSearches; ++seed) {
    const std::vector<double> effect = Effect(1, seed);
    const OrderSearch search = Search(effect, kTrainings, seed);
    const OrderEffect found = ExamineEffect(search, Without());
    const double worth = effect[static_cast<size_t>(found.best)];
    const double truly = worth - effect[static_cast<size_t>(found.median)];
    if (found.verdict == OrderEffect::Verdict::kMatters && worth > MedianOf(effect)) ++seen;
    if (std::abs(truly - found.better_by) <= found.better_by_ci95) ++covered;
    seed_deviation += search.Believed().seed_deviation / kSearches;
    better_by += found.better_by / kSearches;
  }
  std::printf(
      "An effect of one seed's standard deviation: seen in %d of %d searches of %d trainings; "
      "better by %.2f, whose interval holds in %d; seeds' standard deviation %.2f\n",
      seen, kSearches, kTrainings, better_by, covered, seed_deviation);
  EXPECT_GE(seen, 90);
  EXPECT_GE(covered, 80);
  EXPECT_GT(seed_deviation, 1 / 1.5);
  EXPECT_LT(seed_deviation, 1.5);
}

TEST_F(OrderEffectTest, WithoutAnEffectNoneIsSeen) {
  int not_seen = 0;
  double seed_deviation = 0;
  for (uint64_t seed = 1; seed <= kSearches; ++seed) {
    const OrderSearch search = Search(Effect(0, seed), kTrainings, 1000 + seed);
    if (ExamineEffect(search, Without()).verdict == OrderEffect::Verdict::kNotSeen) ++not_seen;
    seed_deviation += search.Believed().seed_deviation / kSearches;
  }
  std::printf("No effect: none is seen in %d of %d searches; seeds' standard deviation %.2f\n",
              not_seen, kSearches, seed_deviation);
  EXPECT_GE(not_seen, 95);
  EXPECT_GT(seed_deviation, 1 / 1.5);
  EXPECT_LT(seed_deviation, 1.5);
}

TEST_F(OrderEffectTest, WhatWouldHaveBeenSeenIsSaid) {
  const OrderEffect found = ExamineEffect(Search(Effect(0, 1), 12, 1001));
  ASSERT_EQ(found.verdict, OrderEffect::Verdict::kNotSeen);
  EXPECT_EQ(found.trainings, 12);
  EXPECT_GT(found.p, 0.03);
  EXPECT_GT(found.visible, 1);
  // More trainings see less.
  const OrderEffect more = ExamineEffect(Search(Effect(0, 1), 30, 1001));
  ASSERT_EQ(more.verdict, OrderEffect::Verdict::kNotSeen);
  EXPECT_LT(more.visible, found.visible);
}

TEST_F(OrderEffectTest, FewTrainingsSayNothing) {
  const OrderEffect found = ExamineEffect(Search(Effect(2, 1), 7, 1));
  EXPECT_EQ(found.verdict, OrderEffect::Verdict::kTooFewTrainings);
  EXPECT_EQ(found.trainings, 7);
  EXPECT_GE(found.best, 0);
  const OrderEffect none = ExamineEffect(OrderSearch(SearchConfig(), 3, 1));
  EXPECT_EQ(none.verdict, OrderEffect::Verdict::kTooFewTrainings);
  EXPECT_EQ(none.best, -1);
}

TEST_F(OrderEffectTest, EqualScoresAreNoEffect) {
  OrderSearch search(SearchConfig(), 4, 1);
  for (int i = 0; i < 10; ++i) {
    TrialResult result = Score(-50);
    result.return_variance = 0;
    search.Tell(search.Next(1)[0].order, result);
  }
  const OrderEffect found = ExamineEffect(search);
  EXPECT_EQ(found.verdict, OrderEffect::Verdict::kNotSeen);
  EXPECT_EQ(found.better_by, 0);
}

TEST_F(OrderEffectTest, WhatDidNotComplyDoesNotCount) {
  OrderSearch search(SearchConfig(), 4, 1);
  Rng rng(1, RngPurpose::kTest, 0);
  for (int i = 0; i < 20; ++i) {
    TrialResult result = Score(rng.Normal());
    result.compliance = i % 2;
    search.Tell(search.Next(1)[0].order, result);
  }
  EXPECT_EQ(ExamineEffect(search).trainings, 10);
}

TEST_F(OrderEffectTest, ChanceIsAlwaysTheSame) {
  const OrderSearch search = Search(Effect(1, 1), 12, 1);
  EXPECT_EQ(SearchesWithoutEffect(search, 0.1, 5), SearchesWithoutEffect(search, 0.1, 5));
  EXPECT_EQ(ExamineEffect(search).p, ExamineEffect(search).p);
}

}  // namespace
}  // namespace dray
