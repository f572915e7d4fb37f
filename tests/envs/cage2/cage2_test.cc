#include "src/envs/cage2/cage2.h"

#include <gtest/gtest.h>

#include <numeric>

#include "src/base/error.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray {
namespace {

using cage2::ActionId;
using cage2::BlueKind;

// One environment under way.
struct Task {
  explicit Task(const Cage2Config& config, uint64_t seed = 5)
      : env(config), rng(seed, RngPurpose::kTest, 0), observation(env.spec().observation_size) {
    env.Reset(rng, observation);
  }

  Outcome Step(int action) { return env.Step({.index = action, .values = {}}, rng, observation); }
  double Stat(const std::string& name) const {
    const auto& names = env.spec().episode_stats;
    std::vector<double> stats(names.size());
    env.WriteEpisodeStats(stats);
    return stats.at(static_cast<size_t>(std::ranges::find(names, name) - names.begin()));
  }

  Cage2 env;
  Rng rng;
  std::vector<float> observation;
};

Cage2Config WithWorkflow() {
  Cage2Config config;
  Cage2WorkflowConfig* workflow = config.mutable_workflow();
  workflow->set_enabled(true);
  for (const auto unit :
       {Cage2WorkflowConfig::USER, Cage2WorkflowConfig::OP_SERVER, Cage2WorkflowConfig::ENTERPRISE,
        Cage2WorkflowConfig::DEFENDER, Cage2WorkflowConfig::OP_HOST}) {
    workflow->add_order(unit);
  }
  return config;
}

TEST(Cage2, SizesFollowTheInterface) {
  Cage2Config config;
  EXPECT_EQ(Cage2(config).spec().observation_size, 52);
  EXPECT_EQ(Cage2(config).spec().actions.count, 145);
  EXPECT_FALSE(Cage2(config).spec().masked);
  config.set_interface(Cage2Config::REDUCED);
  EXPECT_EQ(Cage2(config).spec().observation_size, 62);
  EXPECT_EQ(Cage2(config).spec().actions.count, 36);
  config.set_observe_history(true);
  EXPECT_EQ(Cage2(config).spec().observation_size, 62 + 41);
  EXPECT_EQ(Cage2(WithWorkflow()).spec().observation_size, 77);
}

TEST(Cage2, AnEpisodeTerminatesUnlessToldToBeCut) {
  Cage2Config config;
  config.set_max_steps(3);
  Task ends(config);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(ends.Step(0).terminated);
  const Outcome last = ends.Step(0);
  EXPECT_TRUE(last.terminated);
  EXPECT_FALSE(last.truncated);
  config.set_truncate(true);
  Task cut(config);
  for (int i = 0; i < 2; ++i) cut.Step(0);
  const Outcome end = cut.Step(0);
  EXPECT_FALSE(end.terminated);
  EXPECT_TRUE(end.truncated);
}

TEST(Cage2, TheBitsComeInTheOrderOfTheHosts) {
  Cage2Config config;
  Task task(config);
  task.Step(0);
  task.Step(0);  // B_line scans one of User1 to User4: activity 10
  int host = 9;
  while (host < 12 && task.observation[4 * host] == 0) ++host;
  for (int i = 0; i < 52; ++i) EXPECT_EQ(task.observation[i], i == 4 * host ? 1 : 0) << i;
}

TEST(Cage2, ReturnsAreCountedAt30And50StepsToo) {
  Task task(Cage2Config{});
  double at_30 = 0, at_50 = 0, total = 0;
  for (int step = 1; step <= 100; ++step) {
    total += task.Step(0).reward;
    if (step == 30) at_30 = total;
    if (step == 50) at_50 = total;
  }
  EXPECT_NEAR(task.Stat("return_30"), at_30, 1e-3);
  EXPECT_NEAR(task.Stat("return_50"), at_50, 1e-3);
  EXPECT_NEAR(task.Stat("env_return"), total, 1e-3);
  EXPECT_GT(task.Stat("server_down_steps"), 50);
  EXPECT_EQ(task.Stat("server_restored"), 0);
}

TEST(Cage2, AlignmentRewardsSumToLambdaTimesTheRateLessOneHalf) {
  Cage2Config config = WithWorkflow();
  config.set_red("sleep");
  Task task(config);
  double rewards = 0, costs = 0;
  for (int step = 0; step < 100; ++step) {
    const int action = (7 * step + 3) % cage2::kBlueActions;
    rewards += task.Step(action).reward;
    costs += cage2::BlueActionOf(action).kind == BlueKind::kRestore ? -1 : 0;
  }
  EXPECT_GT(task.Stat("fixes"), 5);
  EXPECT_NEAR(task.Stat("env_return"), costs, 1e-6);
  EXPECT_NEAR(rewards - costs, 30 * (task.Stat("compliance") - 0.5), 1e-3);
}

TEST(Cage2, BonusesAndPenaltiesScaleWithLambda) {
  Cage2Config config = WithWorkflow();
  config.set_red("sleep");
  config.mutable_workflow()->set_compliant_bonus(0.1);
  config.mutable_workflow()->set_violation_penalty(0.2);
  Task task(config);
  // Compliant: the rate goes from one half to 1.
  EXPECT_FLOAT_EQ(task.Step(ActionId(BlueKind::kRemove, cage2::kUser1)).reward, 30 * 0.5 + 3);
  // A violation: from 1 to one half.
  EXPECT_FLOAT_EQ(task.Step(ActionId(BlueKind::kRemove, cage2::kEnterprise1)).reward,
                  -30 * 0.5 - 6);
}

TEST(Cage2, AnEpisodeWithoutAFixMayCost) {
  Cage2Config config = WithWorkflow();
  config.set_red("sleep");
  config.set_max_steps(2);
  config.mutable_workflow()->set_no_fix_penalty(0.2);
  Task task(config);
  EXPECT_EQ(task.Step(0).reward, 0);
  EXPECT_FLOAT_EQ(task.Step(0).reward, -6);
}

TEST(Cage2, WithoutAnOrderEveryEpisodeHasItsOwn) {
  Cage2Config config = WithWorkflow();
  config.mutable_workflow()->clear_order();
  Task task(config);
  const std::vector<float> first = task.observation;
  int changed = 0;
  for (int i = 0; i < 20; ++i) {
    task.env.Reset(task.rng, task.observation);
    EXPECT_EQ(std::accumulate(task.observation.begin(), task.observation.end(), 0.0f), 5);
    changed += task.observation != first;
  }
  EXPECT_GT(changed, 10);
}

TEST(Cage2, FixedKindsCanBeShown) {
  Cage2Config config = WithWorkflow();
  config.mutable_workflow()->set_observe_fixed(true);
  Task task(config);
  task.Step(ActionId(BlueKind::kRemove, cage2::kOpHost2));
  const std::vector<float> shown(task.observation.end() - 5, task.observation.end());
  EXPECT_EQ(shown, (std::vector<float>{0, 0, 0, 1, 0}));
}

TEST(Cage2, AReducedMaskForbidsDecoysThatAreUsedUp) {
  Cage2Config config;
  config.set_interface(Cage2Config::REDUCED);
  Task task(config);
  const auto allowed = [&] {
    std::vector<uint8_t> mask(36, 9);
    task.env.WriteMask(mask);
    return mask;
  };
  EXPECT_EQ(allowed(), std::vector<uint8_t>(36, 1));
  task.Step(28);  // Enterprise1 has one decoy
  EXPECT_EQ(allowed()[28], 0);
  EXPECT_EQ(std::ranges::count(allowed(), 1), 35);
  task.Step(1);  // its restore brings it back
  EXPECT_EQ(allowed()[28], 1);
}

TEST(Cage2, AMaskOfUselessActionsLeavesWhatOpensAPort) {
  Cage2Config config;
  config.set_mask_useless(true);
  Task task(config);
  std::vector<uint8_t> mask(145, 9);
  task.env.WriteMask(mask);
  EXPECT_EQ(mask[cage2::kMonitorAction], 0);
  EXPECT_EQ(mask[cage2::kSleepAction], 1);
  EXPECT_EQ(mask[ActionId(BlueKind::kDecoyFemitter, cage2::kEnterprise0)], 0);  // Linux
  EXPECT_EQ(mask[ActionId(BlueKind::kDecoyApache, cage2::kUser1)], 1);
  EXPECT_EQ(mask[ActionId(BlueKind::kDecoyVsftpd, cage2::kUser4)], 0);  // 80 is open
  task.Step(ActionId(BlueKind::kDecoyApache, cage2::kUser1));
  task.env.WriteMask(mask);
  EXPECT_EQ(mask[ActionId(BlueKind::kDecoyApache, cage2::kUser1)], 0);
}

TEST(Cage2, ADamagedStateIsAnError) {
  Task task(WithWorkflow());
  ByteWriter out;
  task.env.Save(out);
  const std::string saved = out.Take();
  int refused = 0;
  for (size_t i = 0; i < saved.size(); ++i) {
    std::string damaged = saved;
    damaged[i] = '\x7f';
    Task other(WithWorkflow());
    try {
      ByteReader in(damaged, "a damaged state");
      other.env.Load(in);
      for (int step = 0; step < 50; ++step) other.Step((31 * step) % 145);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(Cage2, AStepIsToldInWords) {
  Task task(Cage2Config{});
  EXPECT_EQ(task.env.Render(), "Red is bline");
  task.Step(ActionId(BlueKind::kRestore, cage2::kUser2));
  EXPECT_EQ(task.env.Render(),
            "step   1  reward  -1.0\n  blue  Restore User2 (as new; costs 1)\n"
            "  red   looks for hosts in User\n  seen  nothing");
}

TEST(Cage2, AWorkflowNeedsTheRawInterface) {
  Cage2Config config = WithWorkflow();
  config.set_interface(Cage2Config::REDUCED);
  EXPECT_THROW(Cage2 env(config), Error);
}

TEST(Cage2, AFixThatMendsNothingHasItsPrice) {
  Cage2Config config = WithWorkflow();
  config.set_red("sleep");
  config.mutable_workflow()->set_definition(Cage2WorkflowConfig::C);
  config.mutable_workflow()->set_useless_price(0.25);
  Task task(config);
  EXPECT_FLOAT_EQ(task.Step(ActionId(BlueKind::kRemove, cage2::kUser1)).reward, -0.25f);
  EXPECT_FLOAT_EQ(task.Step(ActionId(BlueKind::kRestore, cage2::kUser1)).reward, -1.25f);
  EXPECT_FLOAT_EQ(task.Step(cage2::kSleepAction).reward, 0.0f);
  EXPECT_EQ(task.Stat("useless_fixes"), 2);
  EXPECT_EQ(task.Stat("fixes"), 0) << "nothing counted under definition c";
  EXPECT_EQ(task.Stat("env_return"), -1);
}

TEST(Cage2, AfterAFixBlueRests) {
  Cage2Config config = WithWorkflow();
  config.mutable_workflow()->set_rest_steps(2);
  Task task(config);
  ASSERT_TRUE(task.env.spec().masked);
  const auto fixes_allowed = [&] {
    std::vector<uint8_t> mask(cage2::kBlueActions);
    task.env.WriteMask(mask);
    EXPECT_EQ(mask[cage2::kSleepAction], 1);
    return mask[static_cast<size_t>(ActionId(BlueKind::kRestore, cage2::kUser1))] == 1;
  };
  EXPECT_TRUE(fixes_allowed());
  task.Step(ActionId(BlueKind::kRemove, cage2::kUser1));
  EXPECT_FALSE(fixes_allowed());
  task.Step(cage2::kSleepAction);
  EXPECT_FALSE(fixes_allowed());
  task.Step(cage2::kSleepAction);
  EXPECT_TRUE(fixes_allowed());
}

TEST(Cage2, TheFirstPartOfATrainingMayMeetAnotherRed) {
  Cage2Config config;
  config.set_red("sleep");
  config.set_first_red("bline");
  config.set_first_share(0.5);
  Task task(config);
  const auto red_at = [&](double progress) {
    task.env.OnProgress(progress);
    task.env.Reset(task.rng, task.observation);
    return task.env.Render();
  };
  EXPECT_EQ(red_at(0), "Red is bline");
  EXPECT_EQ(red_at(0.49), "Red is bline");
  EXPECT_EQ(red_at(0.5), "Red is sleep");
  EXPECT_EQ(red_at(1), "Red is sleep");
}

TEST(Cage2, FramesTellWhatRedHoldsAlsoOfTheLastStep) {
  Cage2Config config;
  config.set_max_steps(20);
  Task task(config);
  cage2::Frame frame;
  for (int step = 1; step <= 20; ++step) {
    const float reward = task.Step(cage2::kSleepAction).reward;
    if (step == 20) task.env.Reset(task.rng, task.observation);  // as a batch does at once
    frame = cage2::Frame::FromBytes(task.env.Frame());
    EXPECT_EQ(frame.step, step);
    EXPECT_FLOAT_EQ(static_cast<float>(frame.record.reward()), reward);
    EXPECT_NE(frame.sessions & cage2::Bit(cage2::kUser0), 0);
  }
  EXPECT_GT(cage2::Count(frame.privileged), 1) << "nobody hinders B_line";
}

}  // namespace
}  // namespace dray
