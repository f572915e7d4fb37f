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

// An oracle with many callers. What they bring together is split again, if it is too much at once.
struct SharedOracle {
  SharedOracle(std::shared_ptr<Oracle> oracle, size_t max_batch)
      : splitting(std::make_shared<SplittingOracle>(std::move(oracle), max_batch)),
        // Nobody waits for others: how many threads the shards have, is not known here.
        batching(splitting) {}

  std::shared_ptr<SplittingOracle> splitting;
  BatchingOracle batching;
};

// The one oracle of this process for such a config, as long as somebody has it.
MadeOracle MakeShared(const OracleConfig& config, int requests) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<SharedOracle>> oracles;
  const std::lock_guard lock(mutex);
  std::weak_ptr<SharedOracle>& known = oracles[Cat(requests, " ", config.SerializeAsString())];
  std::string note;
  std::shared_ptr<SharedOracle> shared = known.lock();
  if (shared == nullptr) {
    MadeOracle made = MakeInlineOracle(config, requests);
    note = std::move(made.note);
    shared = std::make_shared<SharedOracle>(std::move(made.oracle),
                                            static_cast<size_t>(config.max_batch()));
    known = shared;
  }
  return {std::shared_ptr<Oracle>(shared, &shared->batching), note,
          [splitting = shared->splitting] { return splitting->TakeSplits(); }};
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
  // Over there, splits are counted by the actor.
  return {std::make_shared<RemoteOracle>(port), "", [] { return 0; }};
}

}  // namespace dray
