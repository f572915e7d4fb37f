#include "src/oracle/placement.h"

#include <map>
#include <mutex>
#include <utility>

#include "src/base/error.h"
#include "src/oracle/batching.h"
#include "src/oracle/registry.h"
#include "src/oracle/remote.h"
#include "src/oracle/splitting.h"

namespace dray {
namespace {

// An oracle with many callers. What they bring together is split again, if it is too much at once.
struct SharedOracle {
  SharedOracle(std::shared_ptr<Oracle> oracle, size_t max_batch)
      : splitting(std::make_shared<SplittingOracle>(std::move(oracle), max_batch)),
        // Nobody waits for others: how many threads the shards have, is not known here.
        batching(splitting) {}

  std::shared_ptr<SplittingOracle> splitting;
  BatchingOracle batching;
};

std::string KeyOf(const OracleConfig& config, const OracleContext& context) {
  return Cat(context.requests, " ", context.searches, " ", context.fewest_vehicles, " ",
             context.device, " ", config.SerializeAsString());
}

// The one oracle of this process for such a config, as long as somebody has it.
MadeOracle MakeShared(const OracleConfig& config, const OracleContext& context) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<SharedOracle>> oracles;
  const std::lock_guard lock(mutex);
  std::weak_ptr<SharedOracle>& known = oracles[KeyOf(config, context)];
  std::string note;
  std::shared_ptr<SharedOracle> shared = known.lock();
  if (shared == nullptr) {
    ChosenOracle chosen = ChooseOracle(config, context);
    note = std::move(chosen.note);
    shared = std::make_shared<SharedOracle>(std::move(chosen.oracle),
                                            static_cast<size_t>(config.max_batch()));
    known = shared;
  }
  return {std::shared_ptr<Oracle>(shared, &shared->batching), note,
          [splitting = shared->splitting] { return splitting->TakeSplits(); }};
}

}  // namespace

MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context) {
  if (config.placement() == OracleConfig::INLINE) {
    ChosenOracle chosen = ChooseOracle(config, context);
    return {std::move(chosen.oracle), std::move(chosen.note)};
  }
  const std::shared_ptr<OraclePort> port = GetOraclePort();
  if (port == nullptr) return MakeShared(config, context);
  // Over there, splits are counted by the actor.
  return {std::make_shared<RemoteOracle>(port), "", [] { return 0; }};
}

}  // namespace dray
