#include "src/search/order_search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "src/base/error.h"
#include "tests/search/synthetic_objective.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

SearchConfig WithStrategy(SearchConfig::Strategy strategy) {
  SearchConfig config;
  config.set_strategy(strategy);
  return config;
}

TrialResult Result(double mean, double variance = 25, int64_t episodes = 25) {
  TrialResult result;
  result.mean_return = mean;
  result.return_variance = variance;
  result.episodes = episodes;
  return result;
}

// Bounds decide from the first training on.
SearchConfig WithoutChance() {
  SearchConfig config;
  config.set_random_share(0);
  return config;
}

std::vector<int> NextOrders(const OrderSearch& search, int count) {
  std::vector<int> orders;
  for (const OrderSearch::Choice& choice : search.Next(count)) orders.push_back(choice.order);
  return orders;
}

TEST(OrderSearch, WithoutRandomOrdersStartsWithTheFirstAndThenItsOpposite) {
  OrderSearch search(WithoutChance(), 5, 1);
  EXPECT_THAT(NextOrders(search, 1), ElementsAre(0));
  search.Tell(0, Result(-61));
  // One result is of mean 0 by standardising: the least known order is the one farthest away.
  EXPECT_THAT(NextOrders(search, 1), ElementsAre(119));
}

TEST(OrderSearch, TwoOfFiveOrdersAreDifferentOnesThatTheSeedDraws) {
  OrderSearch search(SearchConfig(), 5, 1), other(SearchConfig(), 5, 1);
  std::set<int> drawn;
  for (int trial = 0; trial < 40; ++trial) {
    const int order = search.Next(1)[0].order;
    // Whatever came of those before.
    if (trial % 5 == 0 || trial % 5 == 2) {
      EXPECT_EQ(other.Next(1)[0].order, order) << trial;
      drawn.insert(order);
    }
    search.Tell(order, Result(-order));
    other.Tell(order, Result(order));
  }
  EXPECT_EQ(drawn.size(), 16u);
  EXPECT_NE(OrderSearch(SearchConfig(), 5, 2).Next(1)[0].order,
            OrderSearch(SearchConfig(), 5, 1).Next(1)[0].order);
}

TEST(OrderSearch, TellsWhatItBelievedOfAChoice) {
  OrderSearch search(WithoutChance(), 5, 1);
  EXPECT_TRUE(std::isnan(search.Next(1)[0].mean));
  for (int i = 0; i < 10; ++i) search.Tell(12 * i, Result(-60 - i));
  const OrderSearch::Choice choice = search.Next(1)[0];
  const OrderSearch::Belief belief = search.Believed();
  const auto order = static_cast<size_t>(choice.order);
  EXPECT_DOUBLE_EQ(choice.mean, belief.mean[order]);
  EXPECT_DOUBLE_EQ(choice.standard_deviation, belief.standard_deviation[order]);
  EXPECT_DOUBLE_EQ(choice.upper_bound, belief.upper_bound[order]);
  EXPECT_DOUBLE_EQ(choice.upper_bound, *std::ranges::max_element(belief.upper_bound));
}

TEST(OrderSearch, TrainsAnOrderAgainWhenItsBoundIsTheHighest) {
  OrderSearch search(WithoutChance(), 5, 1);
  for (int i = 0; i < 40; ++i) {
    const int order = 3 * i;
    search.Tell(order, Result(-search.orders().DiscordantPairs(order, 60) + 0.1 * (i % 3)));
  }
  EXPECT_EQ(search.Next(1)[0].order, 60);
}

TEST(OrderSearch, ChoosesABatchWithoutDuplicatesWhosePrefixIsASmallerBatch) {
  for (const auto kernel : {SearchConfig::MALLOWS, SearchConfig::KENDALL}) {
    SearchConfig config;
    config.set_kernel(kernel);
    OrderSearch search(config, 5, 1);
    const SyntheticObjective objective(search.orders(), 3);
    Rng rng(1, RngPurpose::kTest, 0);
    for (int round = 0; round < 4; ++round) {
      const std::vector<int> batch = NextOrders(search, 8);
      EXPECT_EQ(std::set<int>(batch.begin(), batch.end()).size(), 8u);
      const std::vector<int> three = NextOrders(search, 3);
      EXPECT_TRUE(std::equal(three.begin(), three.end(), batch.begin()));
      for (const int order : batch) search.Tell(order, objective.Sample(order, 20, 25, rng));
    }
    const std::vector<int> all = NextOrders(search, 120);
    EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 120u);
    EXPECT_EQ(search.Next(130).size(), 130u);
  }
}

TEST(OrderSearch, GoesOnTheSameWhenToldAgain) {
  for (const auto strategy : {SearchConfig::GP_UCB, SearchConfig::RANDOM}) {
    const SearchConfig config = WithStrategy(strategy);
    OrderSearch search(config, 5, 7);
    const SyntheticObjective objective(search.orders(), 5);
    Rng rng(2, RngPurpose::kTest, 0);
    std::vector<std::pair<int, TrialResult>> told;
    for (int round = 0; round < 8; ++round) {
      OrderSearch resumed(config, 5, 7);
      for (const auto& [order, result] : told) resumed.Tell(order, result);
      const std::vector<int> next = NextOrders(search, 3);
      EXPECT_EQ(NextOrders(resumed, 3), next);
      for (const int order : next) {
        told.emplace_back(order, objective.Sample(order, 20, 25, rng));
        search.Tell(told.back().first, told.back().second);
      }
    }
  }
}

TEST(OrderSearch, AtRandomVisitsAllBeforeAnyTwiceAndTheSeedDecides) {
  const SearchConfig config = WithStrategy(SearchConfig::RANDOM);
  const OrderSearch search(config, 4, 1);
  const std::vector<int> next = NextOrders(search, 48);
  const std::set<int> first(next.begin(), next.begin() + 24), second(next.begin() + 24, next.end());
  EXPECT_EQ(first.size(), 24u);
  EXPECT_EQ(second.size(), 24u);
  EXPECT_FALSE(std::equal(next.begin(), next.begin() + 24, next.begin() + 24));
  EXPECT_EQ(NextOrders(OrderSearch(config, 4, 1), 48), next);
  EXPECT_NE(NextOrders(OrderSearch(config, 4, 2), 48), next);
}

TEST(OrderSearch, TheBeliefIsInUnitsOfReturn) {
  OrderSearch search(SearchConfig(), 5, 1);
  Rng rng(4, RngPurpose::kTest, 0);
  for (int i = 0; i < 60; ++i) {
    // A pair of items is worth 5; seeds scatter by 2.
    const double worth = -100 + 5.0 * search.orders().DiscordantPairs(2 * i, 0);
    search.Tell(2 * i, Result(worth + 2 * rng.Normal(), 1e-6));
  }
  const OrderSearch::Belief belief = search.Believed();
  EXPECT_NEAR(belief.mean[0], -100, 6);
  EXPECT_NEAR(belief.mean[119], -50, 6);
  EXPECT_GT(belief.upper_bound[7], belief.mean[7]);
  EXPECT_GT(belief.order_deviation, 5);
  EXPECT_NEAR(belief.seed_deviation, 2.5, 2);
  EXPECT_NEAR(search.Difference(119, 0).mean, 50, 10);
  EXPECT_DOUBLE_EQ(search.Difference(0, 119).mean, -search.Difference(119, 0).mean);
}

TEST(OrderSearch, ShiftingAndStretchingReturnsChangesNoChoice) {
  OrderSearch plain(SearchConfig(), 5, 1), stretched(SearchConfig(), 5, 1);
  const SyntheticObjective objective(plain.orders(), 9);
  Rng rng(3, RngPurpose::kTest, 0);
  for (int trial = 0; trial < 15; ++trial) {
    const int order = plain.Next(1)[0].order;
    ASSERT_EQ(stretched.Next(1)[0].order, order);
    TrialResult result = objective.Sample(order, 10, 25, rng);
    plain.Tell(order, result);
    result.mean_return = 1000 + 64 * result.mean_return;
    result.return_variance *= 64 * 64;
    stretched.Tell(order, result);
  }
}

TEST(OrderSearch, OneResultOrEqualOnesOrNoNoiseGiveFiniteBeliefs) {
  for (const double variance : {0.0, 4.0}) {
    OrderSearch search(SearchConfig(), 5, 1);
    for (int i = 0; i < 4; ++i) {
      const int order = search.Next(1)[0].order;
      search.Tell(order, Result(-50, variance, i == 2 ? 1 : 25));
      const OrderSearch::Belief belief = search.Believed();
      ASSERT_EQ(belief.mean.size(), 120u);
      for (size_t k = 0; k < belief.mean.size(); ++k) {
        EXPECT_NEAR(belief.mean[k], -50, 1e-9);
        EXPECT_TRUE(std::isfinite(belief.standard_deviation[k]));
      }
    }
  }
}

TEST(OrderSearch, ARepeatedOrderAveragesItsNoise) {
  OrderSearch once(SearchConfig(), 5, 1), twice(SearchConfig(), 5, 1);
  for (OrderSearch* search : {&once, &twice}) {
    search->Tell(0, Result(-10, 400));
    search->Tell(119, Result(-90, 400));
  }
  twice.Tell(0, Result(-10, 400));
  twice.Tell(119, Result(-90, 400));
  EXPECT_LT(twice.Believed().standard_deviation[0], once.Believed().standard_deviation[0]);
}

TEST(OrderSearch, WhatDidNotComplyTeachesNoReturnButSendsTheSearchElsewhere) {
  SearchConfig config = WithoutChance();
  config.set_compliance_at_least(0.9);
  OrderSearch search(config, 5, 1), without(config, 5, 1);
  for (OrderSearch* one : {&search, &without}) {
    one->Tell(0, Result(-60));
    one->Tell(119, Result(-80));
  }
  const int next = without.Next(1)[0].order;
  TrialResult ignored = Result(1e6);
  ignored.compliance = 0.5;
  search.Tell(next, ignored);
  EXPECT_FALSE(search.Counts(ignored));
  EXPECT_EQ(search.Believed().mean, without.Believed().mean);
  EXPECT_EQ(search.Believed().standard_deviation, without.Believed().standard_deviation);
  EXPECT_NE(search.Next(1)[0].order, next);
}

TEST(OrderSearch, WhenNothingEverCompliesItWalksThroughDifferentOrders) {
  OrderSearch search(WithoutChance(), 5, 1);
  std::set<int> seen;
  for (int i = 0; i < 30; ++i) {
    const int order = search.Next(1)[0].order;
    if (i == 1) {
      EXPECT_EQ(order, 119);  // far from the first, not merely the next one
    }
    seen.insert(order);
    TrialResult result = Result(std::numeric_limits<double>::quiet_NaN());
    result.compliance = i % 2;
    search.Tell(order, result);
  }
  EXPECT_EQ(seen.size(), 30u);
}

TEST(OrderSearch, ImpossibleResultsAreErrors) {
  OrderSearch search(SearchConfig(), 3, 1);
  EXPECT_THROW(search.Tell(-1, Result(0)), Error);
  EXPECT_THROW(search.Tell(6, Result(0)), Error);
  EXPECT_THROW(search.Tell(0, Result(0, -1)), Error);
  EXPECT_THROW(search.Tell(0, Result(0, std::nan(""))), Error);
  EXPECT_THROW(search.Tell(0, Result(0, 1, -5)), Error);
  TrialResult result = Result(0);
  result.compliance = 1.5;
  EXPECT_THROW(search.Tell(0, result), Error);
  EXPECT_EQ(search.told(), 0);
}

}  // namespace
}  // namespace dray
