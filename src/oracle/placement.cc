#include "src/oracle/placement.h"

#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "src/base/error.h"
#include "src/oracle/registry.h"
#include "src/oracle/remote.h"

namespace dray {
namespace {

// Makes an oracle for many callers. Batches that are too large are split again.
struct SharedOracle {
  SharedOracle(std::shared_ptr<Oracle> oracle, size_t max_batch)
      : counted(std::make_shared<CountedOracle>(std::move(oracle), max_batch)),
        meeting(std::make_shared<BatchingOracle>(counted)) {}

  std::shared_ptr<CountedOracle> counted;
  std::shared_ptr<BatchingOracle> meeting;
};

std::string KeyOf(const OracleConfig& config, const OracleContext& context) {
  return Cat(context.requests, " ", context.searches, " ", context.fewest_vehicles, " ",
             config.SerializeAsString());
}

MadeOracle MakeOwn(const OracleConfig& config, const OracleContext& context) {
  ChosenOracle chosen = ChooseOracle(config, context);
  return {.counted = std::make_shared<CountedOracle>(std::move(chosen.oracle), config.max_batch()),
          .note = std::move(chosen.note)};
}

// Returns this process's only oracle for the config, which lives as long as somebody holds it.
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
    shared = std::make_shared<SharedOracle>(std::move(chosen.oracle), config.max_batch());
    known = shared;
  }
  return {.counted = std::shared_ptr<CountedOracle>(shared, shared->counted.get()),
          .meeting = std::shared_ptr<BatchingOracle>(shared, shared->meeting.get()),
          .note = std::move(note)};
}

// The actor splits and counts batches; here, every call counts as one.
MadeOracle MakeRemote(std::shared_ptr<OraclePort> port) {
  return {.counted = std::make_shared<CountedOracle>(
              std::make_shared<RemoteOracle>(std::move(port)), std::numeric_limits<size_t>::max())};
}

}  // namespace

MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context) {
  if (config.placement() == OracleConfig::INLINE) {
    return SharedByShards(config, context) ? MakeShared(config, context) : MakeOwn(config, context);
  }
  if (std::shared_ptr<OraclePort> port = GetOraclePort()) return MakeRemote(std::move(port));
  return MakeShared(config, context);
}

}  // namespace dray
