#include "src/oracle/insertion.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

Problem Line() {
  // Places on a line, a minute apart: the depot at 0.
  Problem problem;
  std::vector<Ticks> times;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) times.push_back(10 * std::abs(i - j));
  problem.travel = {6, times};
  problem.depot_closes = 1000;
  problem.fleet = {2, 1, 500, false};
  problem.stops = {
      {1, 0, 1000, 0, 1}, {3, 0, 1000, 0, -1}, {2, 0, 1000, 0, 1}, {5, 0, 1000, 0, -1}};
  problem.requests = {{0, 1}, {2, 3}};
  return problem;
}

TEST(InsertionOracle, SharesARideOnTheWay) {
  const Problem problem = Line();
  const Problem* pointer = &problem;
  const OracleAnswer answer = InsertionOracle().Solve({&pointer, 1})[0];
  EXPECT_EQ(answer.cost.vehicles, 1);
  EXPECT_EQ(answer.cost.total(), 100);
}

TEST(InsertionOracle, PaysForAVehicleWhenItMust) {
  Problem problem = Line();
  problem.stops[0].closes = problem.stops[1].closes = 30;
  problem.stops[2].closes = problem.stops[3].closes = 50;
  problem.fleet.capacity = 1;
  const Problem* pointer = &problem;
  const OracleAnswer answer = InsertionOracle().Solve({&pointer, 1})[0];
  EXPECT_EQ(answer.cost.vehicles, 2);
  EXPECT_EQ(answer.cost.total(), 60 + 100 + 500);
  problem.fleet.hard = true;
  EXPECT_EQ(InsertionOracle().Solve({&pointer, 1})[0].cost.unserved, 1);
}

// The 16 offers of the delivery task: pickup earlier by 30 ... 0 minutes, dropoff later by 0
// ... 30.
std::vector<RequestWindows> Offers(const Problem& problem, int request) {
  std::vector<RequestWindows> offers;
  const Stop& pickup = problem.stops[problem.requests[request].pickup];
  const Stop& delivery = problem.stops[problem.requests[request].delivery];
  for (const Ticks earlier : {300, 200, 100, 0}) {
    for (const Ticks later : {0, 100, 200, 300}) {
      offers.push_back({pickup.opens - earlier, pickup.closes - earlier, delivery.opens + later,
                        delivery.closes + later});
    }
  }
  return offers;
}

TEST(PricedInsertion, PricesEveryOfferAsInsertingItWould) {
  for (int i = 0; i < 60; ++i) {
    Rng rng(20, RngPurpose::kTest, i);
    Problem problem = RandomDeliveryProblem(2 + i % 29, rng);
    problem.fleet.hard = i % 3 == 0;
    const int added = static_cast<int>(problem.requests.size()) - 1;
    Problem before = problem;
    before.requests.pop_back();
    const Problem* pointer = &before;
    const OracleAnswer kept = InsertionOracle().Solve({&pointer, 1})[0];

    const std::vector<RequestWindows> offers = Offers(problem, added);
    ASSERT_FALSE(offers.empty());
    std::vector<int64_t> costs(offers.size());
    PricedInsertion priced;
    priced.Load(problem, kept.plan);
    priced.Price(added, offers, costs);
    for (size_t offer = 0; offer < offers.size(); ++offer) {
      Problem agreed = problem;
      Stop& pickup = agreed.stops[problem.requests[added].pickup];
      Stop& delivery = agreed.stops[problem.requests[added].delivery];
      pickup.opens = offers[offer].pickup_opens;
      pickup.closes = offers[offer].pickup_closes;
      delivery.opens = offers[offer].delivery_opens;
      delivery.closes = offers[offer].delivery_closes;
      const OracleAnswer after = InsertionOracle(false).ImproveOne(agreed, kept.plan);
      if (costs[offer] == PricedInsertion::kImpossible) {
        EXPECT_GT(after.cost.unserved, kept.cost.unserved);
      } else if (kept.cost.unserved == 0) {
        EXPECT_EQ(after.cost.total() - kept.cost.total(), costs[offer]);
      }
    }
  }
}

}  // namespace
}  // namespace dray
