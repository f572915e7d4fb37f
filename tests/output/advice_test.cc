#include "src/output/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Report With(const char* name, double value, const char* other = nullptr, double other_value = 0) {
  Report report;
  report.Record(name, value);
  if (other != nullptr) report.Record(other, other_value);
  return report;
}

TEST(Advice, AnUpdateOverThirtySecondsNamesTheSettingsThatShortenIt) {
  EXPECT_THAT(AdviceFor(With("time/learn_s", 45), {}),
              ElementsAre(AllOf(HasSubstr("45s"), HasSubstr("ppo.update_interval"),
                                HasSubstr("ppo.policy_epochs"), HasSubstr("ppo.minibatch_size"))));
  EXPECT_THAT(AdviceFor(With("time/learn_s", 30), {}), IsEmpty());
}

TEST(Advice, AReportOfSeveralUpdatesCountsTheTimeOfEach) {
  const Report report = With("time/learn_s", 100, "update", 14);
  EXPECT_THAT(AdviceFor(report, With("update", 10)), IsEmpty());
  EXPECT_THAT(AdviceFor(report, With("update", 12)), ElementsAre(HasSubstr("50s")));
}

TEST(Advice, ASplitForMemoryIsSaidInTheReportWhereItHappened) {
  const Report split = With("memory/oracle_splits", 3);
  EXPECT_THAT(AdviceFor(split, {}), ElementsAre(HasSubstr("split 3 batches")));
  EXPECT_THAT(AdviceFor(split, split), IsEmpty());
  const Report halved = With("memory/learner_splits", 1);
  EXPECT_THAT(AdviceFor(halved, {}),
              ElementsAre(AllOf(HasSubstr("split 1 minibatch:"), HasSubstr("minibatch_size"))));
  EXPECT_THAT(AdviceFor(halved, halved), IsEmpty());
}

TEST(Advice, AnEmptyReportNeedsNone) { EXPECT_THAT(AdviceFor({}, {}), IsEmpty()); }

}  // namespace
}  // namespace dray
