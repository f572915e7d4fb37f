#include "src/oracle/route_crossing.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "src/routing/plan.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

// Two plans of one problem: requests inserted in the order of their numbers, and in a random one.
class RouteCrossingTest : public testing::Test {
 protected:
  void SetUp() override {
    book_.Load(problem_);
    book_.Clear(first_);
    book_.InsertAbsent(first_);
    book_.Clear(second_);
    rng_.Shuffle(std::span<int>(second_.absent));
    book_.InsertAbsent(second_);
    nodes_.resize(problem_.stops.size());
    std::iota(nodes_.begin(), nodes_.end(), 0);
  }

  std::set<std::vector<int>> Routes(const Tours& tours) {
    const Plan plan = book_.Answer(tours).plan;
    return {plan.routes.begin(), plan.routes.end()};
  }

  Rng rng_{51, RngPurpose::kTest, 0};
  Problem problem_ = RandomDeliveryProblem(30, rng_);
  TourBook book_;
  Tours first_;
  Tours second_;
  Tours child_;
  std::vector<int> nodes_;
  RouteCrossing crossing_;
};

TEST_F(RouteCrossingTest, AChildServesEverybodyOnceWithinTheRules) {
  for (int round = 0; round < 50; ++round) {
    rng_.Shuffle(std::span<int>(nodes_));
    crossing_.Cross(book_, first_, second_, nodes_, 1 + round % 4, child_);
    const Simulation driven = Simulate(problem_, book_.Answer(child_).plan);
    ASSERT_TRUE(driven.violations.empty()) << driven.violations[0];
    ASSERT_EQ(driven.cost.unserved, static_cast<int>(child_.absent.size()));
    ASSERT_EQ(driven.cost.travel, child_.travel);
  }
}

TEST_F(RouteCrossingTest, AllRoutesOfTheSecondAreTheSecond) {
  const int routes = static_cast<int>(second_.used.size());
  crossing_.Cross(book_, first_, second_, nodes_, routes, child_);
  EXPECT_NE(Routes(first_), Routes(second_));
  EXPECT_EQ(Routes(child_), Routes(second_));
}

TEST_F(RouteCrossingTest, APlanCrossedWithItselfStaysAsItIs) {
  crossing_.Cross(book_, first_, first_, nodes_, 2, child_);
  EXPECT_EQ(Routes(child_), Routes(first_));
}

TEST_F(RouteCrossingTest, KeepsToTheLimitOfVehicles) {
  const int limit = static_cast<int>(std::min(first_.used.size(), second_.used.size())) - 1;
  book_.set_vehicle_limit(limit);
  crossing_.Cross(book_, first_, second_, nodes_, 2, child_);
  EXPECT_LE(static_cast<int>(child_.used.size()), limit);
  EXPECT_TRUE(Simulate(problem_, book_.Answer(child_).plan).violations.empty());
}

}  // namespace
}  // namespace dray
