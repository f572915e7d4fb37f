#include "src/envs/dvrptw/flexibility/bayes.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

void ExpectBelief(const TypeBelief& found, const TypeBelief& expected) {
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    EXPECT_NEAR(found[type], expected[type], 1e-6) << "type " << type;
  }
}

Choice Accepted(int action) { return {.action = static_cast<int16_t>(action), .accepted = 1}; }
Choice Refused(int action) { return {.action = static_cast<int16_t>(action), .accepted = 0}; }

TEST(Bayes, StartsFromThePrior) {
  ExpectBelief(BayesBelief(1, 0.1).Posterior(0), {0.25f, 0.25f, 0.25f, 0.25f});
  ExpectBelief(BayesBelief(1, 0.1, {0.4f, 0.3f, 0.2f, 0.1f}).Posterior(0),
               {0.4f, 0.3f, 0.2f, 0.1f});
}

TEST(Bayes, WithoutNoiseAnswersRuleTypesOut) {
  BayesBelief belief(1, 0);
  belief.Add(Accepted(13));
  ExpectBelief(belief.Posterior(0), {0.5f, 0, 0, 0.5f});
  belief.Add(Refused(0));
  ExpectBelief(belief.Posterior(0), {1, 0, 0, 0});
}

TEST(Bayes, NoShiftTellsNothing) {
  BayesBelief belief(1, 0.1);
  for (int i = 0; i < 5; ++i) belief.Add(Accepted(kNoShift));
  ExpectBelief(belief.Posterior(0), {0.25f, 0.25f, 0.25f, 0.25f});
  EXPECT_EQ(belief.answers(0), 5);
  EXPECT_EQ(belief.telling_answers(0), 0);
}

TEST(Bayes, WithNoiseItIsTheProductOfLikelihoods) {
  BayesBelief belief(1, 0.2, {0.4f, 0.3f, 0.2f, 0.1f});
  belief.Add(Accepted(13));  // fits 0 and 3
  belief.Add(Accepted(13));
  belief.Add(Refused(3));  // fits 0, 1 and 2
  const double weights[] = {0.4 * .8 * .8 * .8, 0.3 * .2 * .2 * .8, 0.2 * .2 * .2 * .8,
                            0.1 * .8 * .8 * .2};
  const double total = weights[0] + weights[1] + weights[2] + weights[3];
  TypeBelief expected{};
  for (int i = 0; i < 4; ++i) expected[i] = static_cast<float>(weights[i] / total);
  ExpectBelief(belief.Posterior(0), expected);
}

TEST(Bayes, AnswersThatFitNoTypeLeaveTheLeastContradicted) {
  BayesBelief belief(1, 0);
  belief.Add(Accepted(13));
  belief.Add(Refused(13));
  belief.Add(Refused(13));
  ExpectBelief(belief.Posterior(0), {0, 0.5f, 0.5f, 0});
}

TEST(Bayes, RidersAreApart) {
  BayesBelief belief(2, 0);
  belief.Add({.rider = 1, .action = 3, .accepted = 1});
  ExpectBelief(belief.Posterior(0), {0.25f, 0.25f, 0.25f, 0.25f});
  ExpectBelief(belief.Posterior(1), {0, 0, 0, 1});
}

TEST(Bayes, ManyAnswersDoNotUnderflow) {
  BayesBelief belief(1, 0.01);
  for (int i = 0; i < 1'000'000; ++i) belief.Add(Accepted(13));
  ExpectBelief(belief.Posterior(0), {0.5f, 0, 0, 0.5f});
}

}  // namespace
}  // namespace dray::dvrptw
