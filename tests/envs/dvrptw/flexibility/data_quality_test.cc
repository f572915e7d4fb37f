#include "src/envs/dvrptw/flexibility/data_quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray::dvrptw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void AddMany(BayesBelief& evidence, int rider, int action, bool accepted, int times) {
  for (int i = 0; i < times; ++i) {
    evidence.Add({.rider = rider,
                  .action = static_cast<int16_t>(action),
                  .accepted = static_cast<int16_t>(accepted)});
  }
}

TEST(DataQuality, ToldTypesGiveNoWarning) {
  BayesBelief evidence(2, 0);
  AddMany(evidence, 0, 3, true, 20);    // both
  AddMany(evidence, 1, 13, false, 10);  // none
  AddMany(evidence, 1, 0, false, 10);
  EXPECT_THAT(DataQualityWarnings(evidence, 10), IsEmpty());
}

TEST(DataQuality, NamesRidersUnseenWithFewAndWithOneSidedAnswers) {
  BayesBelief evidence(4, 0);
  AddMany(evidence, 1, 3, true, 9);
  AddMany(evidence, 1, kNoShift, true, 100);  // tells nothing
  AddMany(evidence, 2, 13, true, 50);         // late dropoff or both
  AddMany(evidence, 3, 13, true, 50);
  EXPECT_THAT(
      DataQualityWarnings(evidence, 10),
      ElementsAre("Data quality: no observations of customer 0",
                  "Data quality: fewer than 10 answers to a shift of customer 1",
                  "Data quality: one-sided observations, which leave several types open, of "
                  "customers 2, 3"));
}

TEST(DataQuality, ALineStaysShort) {
  EXPECT_THAT(DataQualityWarnings(BayesBelief(200, 0), 10),
              ElementsAre("Data quality: no observations of customers 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 "
                          "and 190 more"));
}

}  // namespace
}  // namespace dray::dvrptw
