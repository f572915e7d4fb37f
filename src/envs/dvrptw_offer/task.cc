#include "src/env/task.h"

#include "src/envs/delivery/task_flags.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/envs/dvrptw_offer/follow_files.h"
#include "src/envs/dvrptw_offer/judging/compare_baselines.h"
#include "src/envs/dvrptw_offer/judging/policies.h"
#include "src/envs/dvrptw_offer/offer_env.h"
#include "src/oracle/oracle_service.h"

namespace dray {
namespace dvrptw_offer {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  return std::make_unique<OfferEnv>(config.GetExtension(DvrptwOfferConfig::dvrptw_offer), streams,
                                    count);
}

TaskOracle OracleOf(const EnvConfig& config) {
  const DvrptwOfferConfig& settings = config.GetExtension(DvrptwOfferConfig::dvrptw_offer);
  return {settings.oracle(), OracleContextOf(settings)};
}

OracleConfig* MutableOracleOf(EnvConfig* config) {
  return config->MutableExtension(DvrptwOfferConfig::dvrptw_offer)->mutable_oracle();
}

void FollowOwnFiles(EnvConfig* config) {
  FollowFiles(config->MutableExtension(DvrptwOfferConfig::dvrptw_offer));
}

std::unique_ptr<Player> MakeYardstickPlayer(const std::string& name, BatchEnv& env,
                                            const Config& config) {
  return MakeBaseline(name, dynamic_cast<OfferEnv&>(env),
                      config.env().GetExtension(DvrptwOfferConfig::dvrptw_offer).type_split(),
                      config.evaluation().seed());
}

std::optional<Yardstick> YardstickOf(const EnvConfig&) {
  return Yardstick{"all_slots", "myopic", "greedy", "", MakeYardstickPlayer};
}

}  // namespace
}  // namespace dvrptw_offer

namespace tasks {
Task dvrptw_offer() {
  namespace task = dray::dvrptw_offer;
  return {.name = "dvrptw_offer",
          .make_envs = task::MakeEnvs,
          .follow_files = task::FollowOwnFiles,
          .service = OracleService(task::OracleOf, task::MutableOracleOf),
          .baselines = task::OfferBaselines(),
          .yardstick = task::YardstickOf,
          .train_flags = delivery::CustomerFlags(),
          .evaluate_flags = delivery::LookaheadFlags()};
}
}  // namespace tasks

}  // namespace dray
