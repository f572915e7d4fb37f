#include "src/env/task.h"

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/flexibility_learner.h"
#include "src/envs/dvrptw/follow_files.h"
#include "src/envs/dvrptw/judging/compare_baselines.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "src/envs/dvrptw/offer_env.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/envs/dvrptw/step_pricing.h"
#include "src/oracle/oracle_service.h"

namespace dray {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  const DvrptwConfig& deliveries = config.GetExtension(dvrptw);
  if (deliveries.mode() == DvrptwConfig::OFFER) {
    return std::make_unique<OfferEnv>(deliveries, streams, count);
  }
  return std::make_unique<NegotiateEnv>(deliveries, streams, count);
}

std::unique_ptr<SideLearner> MakeSideLearner(const Config& config) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  if (deliveries.mode() != DvrptwConfig::NEGOTIATE ||
      deliveries.flexibility().belief() == FlexibilityConfig::TRUE_TYPES) {
    return nullptr;
  }
  return std::make_unique<FlexibilityLearner>(deliveries, config.train().seed());
}

TaskOracle OracleOf(const EnvConfig& config) {
  const DvrptwConfig& deliveries = config.GetExtension(dvrptw);
  return {deliveries.oracle(), OracleContextOf(deliveries)};
}

OracleConfig* MutableOracleOf(EnvConfig* config) {
  return config->MutableExtension(dvrptw)->mutable_oracle();
}

void FollowOwnFiles(EnvConfig* config) { FollowFiles(config->MutableExtension(dvrptw)); }

}  // namespace

namespace tasks {
Task dvrptw() {
  return {
      .name = "dvrptw",
      .make_envs = MakeEnvs,
      .follow_files = FollowOwnFiles,
      .make_side_learner = MakeSideLearner,
      .service = OracleService(OracleOf, MutableOracleOf),
      .baselines = DeliveryBaselines(),
      .random_streams = {kCityStream, kRidersStream, kFlexibilityStream, kProblemsStream,
                         kFuturesStream, kNewcomersStream},
      .train_flags = {{.name = "customers",
                       .value = "N",
                       .path = "env.<env>.num_customers",
                       .help = "Customers per episode; a file of trips says how many unless this "
                               "is set"}},
      .evaluate_flags = {{.name = "futures",
                          .value = "N",
                          .path = "env.<env>.lookahead.futures",
                          .help = "Of the policies lookahead and plan: futures per decision"},
                         {.name = "decision-ms",
                          .value = "MS",
                          .path = "env.<env>.lookahead.decision_ms",
                          .help = "Of the same: time per decision, at most"}}};
}
}  // namespace tasks

}  // namespace dray
