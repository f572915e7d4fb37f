// What every task offers beside its environments holds what the contract in task.h says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/fields.h"
#include "src/config/flags.h"
#include "src/config/overrides.h"
#include "src/env/episode_stats.h"
#include "src/env/registry.h"
#include "src/env/task.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

using testing::HasSubstr;

class EveryTask : public testing::TestWithParam<std::string> {
 protected:
  EveryTask() { *config.mutable_env() = ConfigForTests(GetParam()); }

  Config config;
  const Task& task = TaskOf(ConfigForTests(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Tasks, EveryTask, testing::ValuesIn(EnvNames()),
                         [](const auto& tested) { return tested.param; });

TEST_P(EveryTask, HasASettingGroupAndASpecOfItsName) {
  EXPECT_NE(FindPath(*Config::descriptor(), "env." + GetParam()), nullptr);
  EXPECT_EQ(SpecOf(config.env()).name, GetParam());
}

TEST_P(EveryTask, AWorkflowHasItsStatisticsAndTakesAnyOrder) {
  if (!task.workflow) GTEST_SKIP();
  const std::vector<std::string> items = task.workflow->order_items(config);
  EXPECT_GE(items.size(), 2u);
  std::vector<int> order(items.size());
  std::iota(order.rbegin(), order.rend(), 0);
  task.workflow->set_order(config, order);
  const EnvSpec spec = SpecOf(config.env());
  for (const std::string& stat : {task.workflow->return_stat, task.workflow->compliance_stat}) {
    EXPECT_TRUE(stat.empty() || StatPlace(spec, stat)) << stat;
  }
}

TEST_P(EveryTask, AScriptedPolicyOfNoSuchNameIsAnErrorThatNamesIt) {
  if (!task.scripted_policies) GTEST_SKIP();
  EXPECT_NE(task.scripted_policies->help, "");
  try {
    task.scripted_policies->make("nobody", &config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("--policy nobody: "));
  }
}

TEST_P(EveryTask, ABaselineOfNoSuchNameIsAnErrorThatNamesIt) {
  if (!task.baselines) GTEST_SKIP();
  EXPECT_NE(task.baselines->help, "");
  config.mutable_evaluation()->set_episodes(1);
  try {
    task.baselines->compare(config, {.names = {"nobody"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("\"nobody\""));
  }
}

TEST_P(EveryTask, AScoreTableNamesASettingAndValuesOfIt) {
  if (!task.score_table) GTEST_SKIP();
  const std::string path = Cat("env.", task.name, ".", task.score_table->setting);
  EXPECT_NE(FindFlag(task.evaluate_flags, task.score_table->setting), nullptr);
  EXPECT_GE(task.score_table->values.size(), 2u);
  for (const std::string& value : task.score_table->values) {
    ApplyOverride({path, value, value}, &config);
    EXPECT_EQ(SpecOf(config.env()).name, GetParam()) << value;
  }
}

TEST_P(EveryTask, AFlagSaysWhatItIsForAndSetsASettingOfTheTask) {
  constexpr std::string_view kPrefix = "env.<env>.";
  for (const auto own : {&Task::train_flags, &Task::evaluate_flags}) {
    for (const Flag& flag : task.*own) {
      EXPECT_NE(flag.help, "") << flag.name;
      ASSERT_TRUE(flag.path.starts_with(kPrefix)) << flag.name;
      const std::string path = Cat("env.", task.name, ".", flag.path.substr(kPrefix.size()));
      EXPECT_NE(FindPath(*Config::descriptor(), path), nullptr) << path;
    }
  }
}

TEST_P(EveryTask, AServiceHasADeviceSettingAndCandidatesThatMakeTheTask) {
  if (!task.service) GTEST_SKIP();
  const std::string path = Cat("env.", task.name, ".", task.service->device_setting);
  EXPECT_NE(FindPath(*Config::descriptor(), path), nullptr) << path;
  const std::vector<ServiceCandidate> candidates = task.service->candidates(config.env());
  EXPECT_FALSE(candidates.empty());
  for (const ServiceCandidate& candidate : candidates) {
    EXPECT_NE(candidate.name, "");
    EXPECT_EQ(SpecOf(candidate.settings).name, GetParam()) << candidate.name;
  }
}

}  // namespace
}  // namespace dray
