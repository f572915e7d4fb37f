#include "src/search/acquisition.h"

#include <gmock/gmock.h>

#include <cmath>

namespace dray {
namespace {

using testing::ElementsAre;

TEST(Beta, IsThatOfSrinivas) {
  SearchConfig config;  // δ = 0.1
  config.set_beta(SearchConfig::SRINIVAS);
  EXPECT_NEAR(Beta(config, 120, 1), 15.176, 0.001);
  EXPECT_NEAR(std::sqrt(Beta(config, 120, 1)), 3.896, 0.001);
  // t² in the logarithm.
  EXPECT_NEAR(Beta(config, 120, 10) - Beta(config, 120, 1), 4 * std::log(10.0), 1e-12);
  config.set_delta(0.01);
  EXPECT_NEAR(Beta(config, 120, 1), 15.176 + 2 * std::log(10.0), 0.001);
}

TEST(Beta, IsFixedUnlessAskedFor) {
  const SearchConfig config;
  EXPECT_EQ(Beta(config, 120, 1), 2);
  EXPECT_EQ(Beta(config, 120, 50), 2);
}

TEST(UpperBounds, AddDeviationsToTheMean) {
  const Posterior posterior{{1, 2, -1}, {4, 0, 9}};
  EXPECT_THAT(UpperBounds(posterior, 4), ElementsAre(5, 2, 5));
  EXPECT_THAT(UpperBounds(posterior, 0), ElementsAre(1, 2, -1));
}

TEST(HighestBound, TiesGoToTheUnseenThenToTheLowest) {
  const std::vector<bool> none(4);
  EXPECT_EQ(HighestBound(std::vector<double>{0, 3, 2, 3}, none, none), 1);
  EXPECT_EQ(HighestBound(std::vector<double>{0, 3, 2, 3}, {false, true, false, false}, none), 3);
  EXPECT_EQ(HighestBound(std::vector<double>{0, 3, 2, 3}, {false, true, false, true}, none), 1);
  // Rounding decides nothing.
  EXPECT_EQ(HighestBound(std::vector<double>{0, 3, 2, 3 + 1e-13}, none, none), 1);
}

TEST(HighestBound, LeavesOutWhatIsTakenWhileAnythingIsLeft) {
  const std::vector<bool> none(3);
  const std::vector<double> bounds = {1, 3, 2};
  EXPECT_EQ(HighestBound(bounds, none, {false, true, false}), 2);
  EXPECT_EQ(HighestBound(bounds, none, {false, true, true}), 0);
  EXPECT_EQ(HighestBound(bounds, none, {true, true, true}), 1);
}

}  // namespace
}  // namespace dray
