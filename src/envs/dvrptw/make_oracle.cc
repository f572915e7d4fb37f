#include "src/envs/dvrptw/make_oracle.h"

#include <ATen/Context.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/oracle/batching.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/remote.h"
#include "src/oracle/ruin_recreate.h"
#include "src/oracle/wrappers.h"

namespace dray {
namespace {

OrderWeights WeightsOf(const OracleConfig& config) {
  if (config.weights().empty()) return ShippedOrderWeights();
  try {
    return ReadOrderWeights(UserPath(config.weights()));
  } catch (const Error& error) {
    throw Error(error.kind(), Cat("env.dvrptw.oracle.weights: ", error.what()));
  }
}

std::unique_ptr<Oracle> Neural(const OracleConfig& config, const OrderWeights& weights) {
  const at::Device device = at::globalContext().hasCUDA() ? at::kCUDA : at::kCPU;
  return MakeNeuralOracle(weights, {.starts = config.starts()}, device);
}

std::unique_ptr<Oracle> RuinRecreate(const OracleConfig& config) {
  return std::make_unique<RuinRecreateOracle>(
      RuinRecreateOptions{.rounds = config.rounds(), .seed = config.seed()});
}

// The one oracle of this process for such a config, as long as somebody has it.
MadeOracle MakeShared(const OracleConfig& config, int requests) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<Oracle>> oracles;
  const std::lock_guard lock(mutex);
  std::weak_ptr<Oracle>& known = oracles[Cat(requests, " ", config.SerializeAsString())];
  std::string note;
  std::shared_ptr<Oracle> oracle = known.lock();
  if (oracle == nullptr) {
    MadeOracle made = MakeInlineOracle(config, requests);
    note = std::move(made.note);
    // What many shards bring together is split again, if it is too much at once. Nobody waits for
    // others: how many threads the shards have, is not known here.
    oracle = std::make_shared<BatchingOracle>(std::make_unique<SplittingOracle>(
        std::move(made.oracle), static_cast<size_t>(config.max_batch())));
    known = oracle;
  }
  return {std::move(oracle), note, /*splits=*/true};
}

}  // namespace

MadeOracle MakeInlineOracle(const OracleConfig& config, int requests) {
  switch (config.kind()) {
    case OracleConfig::INSERTION:
      return {std::make_unique<InsertionOracle>(), ""};
    case OracleConfig::RUIN_RECREATE:
      return {RuinRecreate(config), ""};
    case OracleConfig::NEURAL: {
      const OrderWeights weights = WeightsOf(config);
      if (requests <= weights.most_requests) return {Neural(config, weights), ""};
      return {Neural(config, weights),
              Cat("the neural oracle was trained on up to ", weights.most_requests,
                  " requests, not ", requests, ": its plans will be feasible but dear")};
    }
    case OracleConfig::AUTO: {
      if (!at::globalContext().hasCUDA()) return {RuinRecreate(config), ""};
      const OrderWeights weights = WeightsOf(config);
      if (requests <= weights.most_requests) return {Neural(config, weights), ""};
      return {RuinRecreate(config),
              Cat("oracle auto takes ruin_recreate: the neural oracle was trained on up to ",
                  weights.most_requests, " requests, not ", requests)};
    }
  }
  throw UsageError("env.dvrptw.oracle.kind: use auto, neural, insertion or ruin_recreate");
}

MadeOracle MakeOracle(const OracleConfig& config, int requests) {
  if (config.placement() == OracleConfig::INLINE) return MakeInlineOracle(config, requests);
  const std::shared_ptr<OraclePort> port = GetOraclePort();
  if (port == nullptr) return MakeShared(config, requests);
  return {std::make_shared<RemoteOracle>(port), "", /*splits=*/true};
}

}  // namespace dray
