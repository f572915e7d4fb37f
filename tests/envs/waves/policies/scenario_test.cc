#include "src/envs/waves/policies/scenario.h"

#include <gtest/gtest.h>

#include <memory>

#include "src/envs/waves/generated_instance.h"

namespace dray::waves {
namespace {

Day BusyDay() {
  Instance instance = GenerateInstance(5, 60);
  instance.draws = 100;
  Day day(std::make_shared<const Instance>(std::move(instance)), 3);
  // Hold back what may wait, so that the second epoch has old and new requests.
  Routes routes;
  for (const Request& request : day.open()) {
    if (request.must_go) routes.push_back({request.id});
  }
  day.Dispatch(routes);
  return day;
}

TEST(Scenario, PlansKeepToEveryVerdict) {
  const Day day = BusyDay();
  Rng rng(1, RngPurpose::kTest, 0);
  Scenario scenario(day, 1, rng);
  std::vector<Verdict> verdicts(day.open().size(), Verdict::kOpen);
  scenario.Improve(verdicts, {.rounds = 300});
  int going = 0, held = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    // Requests that must go cannot be held.
    if (i % 3 == 0) {
      verdicts[i] = Verdict::kDispatch;
      ++going;
    } else if (i % 3 == 1 && !day.open()[i].must_go) {
      verdicts[i] = Verdict::kHold;
      ++held;
    }
  }
  ASSERT_GT(going, 0);
  ASSERT_GT(held, 0);
  // Continues from the plan that knew no verdicts.
  scenario.Improve(verdicts, {.rounds = 300});
  const std::vector<uint8_t> now = scenario.LeavesNow(verdicts);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == Verdict::kOpen) continue;
    EXPECT_EQ(now[i] == 1, verdicts[i] == Verdict::kDispatch);
  }
}

TEST(Scenario, MoreRoundsGiveACheaperPlan) {
  const Day day = BusyDay();
  Rng rng(2, RngPurpose::kTest, 0);
  Scenario scenario(day, 1, rng);
  const std::vector<Verdict> verdicts(day.open().size(), Verdict::kOpen);
  scenario.Improve(verdicts, {.rounds = 1});
  const int64_t before = scenario.cost();
  scenario.Improve(verdicts, {.rounds = 2000});
  EXPECT_LT(scenario.cost(), before);
}

}  // namespace
}  // namespace dray::waves
