#include "src/env/task.h"

#include "src/envs/delivery/random_streams.h"
#include "src/envs/delivery/task_flags.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/flexibility_learner.h"
#include "src/envs/dvrptw/follow_files.h"
#include "src/envs/dvrptw/judging/compare_baselines.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/oracle/oracle_service.h"

namespace dray {
namespace dvrptw {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  return std::make_unique<NegotiateEnv>(config.GetExtension(DvrptwConfig::dvrptw), streams, count);
}

std::unique_ptr<SideLearner> MakeSideLearner(const Config& config) {
  const DvrptwConfig& settings = config.env().GetExtension(DvrptwConfig::dvrptw);
  if (settings.flexibility().belief() == FlexibilityConfig::TRUE_TYPES) return nullptr;
  return std::make_unique<FlexibilityLearner>(settings, config.train().seed());
}

TaskOracle OracleOf(const EnvConfig& config) {
  const DvrptwConfig& settings = config.GetExtension(DvrptwConfig::dvrptw);
  return {settings.oracle(), OracleContextOf(settings)};
}

OracleConfig* MutableOracleOf(EnvConfig* config) {
  return config->MutableExtension(DvrptwConfig::dvrptw)->mutable_oracle();
}

void FollowOwnFiles(EnvConfig* config) {
  FollowFiles(config->MutableExtension(DvrptwConfig::dvrptw));
}

// Appraisals are for the learner.
void ForEvaluation(EnvConfig* config) {
  config->MutableExtension(DvrptwConfig::dvrptw)->mutable_appraisal()->set_futures(0);
}

std::unique_ptr<Player> MakeYardstickPlayer(const std::string& name, BatchEnv& env,
                                            const Config& config) {
  return MakeBaseline(name, dynamic_cast<NegotiateEnv&>(env),
                      config.env().GetExtension(DvrptwConfig::dvrptw).patience_weight(),
                      config.evaluation().seed());
}

// Days that end with their first failure differ by that alone.
std::optional<Yardstick> YardstickOf(const EnvConfig& config) {
  if (config.GetExtension(DvrptwConfig::dvrptw).legacy_failure()) return std::nullopt;
  return Yardstick{"none", "myopic_believed", "greedy", "min", MakeYardstickPlayer};
}

}  // namespace
}  // namespace dvrptw

namespace tasks {
Task dvrptw() {
  namespace task = dray::dvrptw;
  return {
      .name = "dvrptw",
      .make_envs = task::MakeEnvs,
      .follow_files = task::FollowOwnFiles,
      .for_evaluation = task::ForEvaluation,
      .make_side_learner = task::MakeSideLearner,
      .service = OracleService(task::OracleOf, task::MutableOracleOf),
      .baselines = task::ShiftBaselines(),
      .yardstick = task::YardstickOf,
      .random_streams = {task::kCityStream, task::kRidersStream, task::kFlexibilityStream,
                         task::kProblemsStream, delivery::kFuturesStream, task::kNewcomersStream},
      .train_flags = delivery::CustomerFlags(),
      .evaluate_flags = delivery::LookaheadFlags()};
}
}  // namespace tasks

}  // namespace dray
