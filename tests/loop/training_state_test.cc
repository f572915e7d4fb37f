#include "src/loop/training_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Publishes what it has heard, after every second epoch.
class Gossip : public SideLearner {
 public:
  void Add(std::string_view samples) override { heard_ += samples; }
  std::vector<std::string> Update() override { return {"heard " + heard_}; }
  std::string Publish() const override { return heard_; }
  bool synchronous() const override { return true; }
  int update_epochs() const override { return 2; }
  std::string Save() const override { return heard_; }
  void Load(std::string_view state) override { heard_ = state; }

 private:
  std::string heard_;
};

// One shard of two environments, episodes with one statistic.
struct TwoEnvs {
  explicit TwoEnvs(bool starts = true) {
    spec.episode_stats = spec.env_stats = {"score"};
    plan.num_envs = 2;
    plan.samples_per_epoch = 10;
    EarlyStopConfig& goal = *config.mutable_train()->mutable_early_stop();
    goal.set_stat("score");
    goal.set_at_least(1);
    goal.set_min_episodes_per_env(0);  // the first environment ends none
    LoopSettings settings;
    settings.epoch_limit = 8;
    state = std::make_unique<TrainingState>(config, spec, plan, settings);
    if (starts) state->loop().Start();
  }

  // A rollout in which the second environment ended these episodes, and an update from it.
  std::vector<std::string> Step(const std::vector<double>& scores,
                                const std::string& samples = "") {
    RolloutSummary summary;
    summary.origin = {.policy_version = version, .shard = 0, .first_env = 1};
    summary.steps = 10;
    summary.side_samples = samples;
    summary.metrics.Record("time/oracle_s", 0.5);
    for (const double score : scores) summary.episodes.push_back({0, 5, score, {score}});
    state->loop().AddRollouts(summary.origin.shard, {summary});
    UpdateReport report;
    report.version = ++version;
    report.metrics = update;
    const std::vector<std::string> lines = state->OnUpdate(report);
    while (state->loop().NextCommand()) continue;
    return lines;
  }

  Report Taken() const {
    Report report;
    state->TakeInto(report);
    return report;
  }

  Config config;
  EnvSpec spec;
  RunPlan plan;
  std::unique_ptr<TrainingState> state;
  int64_t version = 0;
  Report update;  // numbers of the next updates
};

TEST(TrainingState, AnUpdateCountsTheEpisodesOfItsRollouts) {
  TwoEnvs run;
  run.Step({0.25, 0.75});
  const Report report = run.Taken();
  EXPECT_EQ(report.epoch, 1);
  EXPECT_EQ(report.Get("completed_episodes"), 2);
  EXPECT_EQ(report.Get("episode/stat/score"), 0.5);
  EXPECT_EQ(report.Get("env/01/episodes"), 2);
  EXPECT_EQ(report.Get("env/01/stat/score"), 0.75);
  EXPECT_EQ(report.Get("time/oracle_s"), 0.5);
}

TEST(TrainingState, NumbersOfUpdatesAreCombinedAsTheirRowsSay) {
  TwoEnvs run;
  run.update.Record("train/clip_fraction", 0.1);
  run.update.Record("train/appraisal_loss", 3);
  run.update.Record("memory/learner_splits", 2);
  run.Step({0.25});
  run.update = {};
  run.update.Record("train/clip_fraction", 0.2);
  run.update.Record("memory/learner_splits", 1);
  run.Step({0.25});
  for (int time = 0; time < 2; ++time) {
    const Report report = run.Taken();
    EXPECT_EQ(report.Get("train/clip_fraction"), 0.2);
    EXPECT_FALSE(report.Has("train/appraisal_loss"));
    EXPECT_EQ(report.Get("memory/learner_splits"), 3);
  }
}

TEST(TrainingState, TheLatestEpisodesAreOfTheLastUpdateThatHadAny) {
  TwoEnvs run;
  run.Step({0.25, 0.75});
  run.Step({0.5});
  EXPECT_THAT(run.state->latest_episodes(), SizeIs(1));
  run.Step({});
  EXPECT_THAT(run.state->latest_episodes(), SizeIs(1));
}

TEST(TrainingState, TheGoalEndsTheRun) {
  TwoEnvs run;
  EXPECT_THAT(run.Step({0.5}), IsEmpty());
  EXPECT_EQ(run.state->coordinator().progress(), 0.125);
  EXPECT_THAT(run.Step({1.5}), ElementsAre(HasSubstr("Goal reached")));
  EXPECT_EQ(run.state->coordinator().progress(), 1);
}

TEST(TrainingState, TheSideLearnerUpdatesWhenItIsDue) {
  TwoEnvs run;
  EXPECT_EQ(*run.state->side_model(), "");
  run.state->StartSideLearner(std::make_unique<Gossip>());
  EXPECT_THAT(run.Step({}, "a"), IsEmpty());
  EXPECT_THAT(run.Step({}, "b"), ElementsAre("heard ab"));
  EXPECT_EQ(*run.state->side_model(), "ab");
}

TEST(TrainingState, ASavedCopyGoesOn) {
  TwoEnvs run, copy(/*starts=*/false);
  for (TwoEnvs* each : {&run, &copy}) each->state->StartSideLearner(std::make_unique<Gossip>());
  run.Step({0.25}, "a");
  run.Step({0.75}, "b");
  EvaluationReport evaluation;
  evaluation.episodes = {{0, 5, 3.0, {}}};
  EXPECT_TRUE(run.state->OnEvaluation(evaluation));
  Checkpoint checkpoint;
  run.state->SaveInto(checkpoint);
  EXPECT_EQ(checkpoint.epoch, 2);
  EXPECT_EQ(checkpoint.best_return, 3);
  copy.state->Load(checkpoint);
  copy.state->loop().Start();
  copy.version = 2;
  EXPECT_FALSE(copy.state->OnEvaluation(evaluation));
  EXPECT_EQ(*copy.state->side_model(), "ab");
  run.Taken();  // what was not yet reported is not saved
  EXPECT_EQ(copy.Step({0.5}, "c"), run.Step({0.5}, "c"));
  EXPECT_EQ(copy.Taken().values, run.Taken().values);
}

TEST(TrainingState, AnActorThatIsNotDirectedIsCountedWhenItWasLost) {
  TwoEnvs run;
  run.state->OnOtherLost("it was lost");
  EXPECT_THAT(run.state->CountOthersLost(), ElementsAre("it was lost"));
  EXPECT_THAT(run.state->CountOthersLost(), IsEmpty());
  EXPECT_EQ(run.state->coordinator().counters().actors_restarted, 1);
}

// What loading it says; empty when it works.
std::string LoadError(const Checkpoint& checkpoint) {
  try {
    TwoEnvs().state->Load(checkpoint);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 1);
    return error.what();
  }
}

TEST(TrainingState, ACheckpointWhoseEpisodesHaveMoreThanTheyShouldIsRefused) {
  TwoEnvs run;
  run.Step({0.5});
  Checkpoint checkpoint;
  run.state->SaveInto(checkpoint);
  EXPECT_EQ(LoadError(checkpoint), "");
  checkpoint.episodes += "x";
  EXPECT_THAT(LoadError(checkpoint), HasSubstr("the saved episodes"));
}

TEST(TrainingState, AnUpdateWithoutProgressEndsTheRun) {
  TwoEnvs run;
  run.Step({});
  run.version = 0;  // a learner that was not at the loop's version
  EXPECT_THAT([&] { run.Step({}); },
              testing::ThrowsMessage<Error>(HasSubstr("the run makes no progress: an update "
                                                      "published policy version 1, and the loop "
                                                      "has seen 1")));
}

}  // namespace
}  // namespace dray
