#include "src/oracle/placement.h"

#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "src/base/error.h"
#include "src/oracle/neural/torch_picking.h"
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

std::string KeyOf(const OracleConfig& config, const OracleContext& context,
                  const OraclePort* port) {
  return Cat(static_cast<const void*>(port), " ", context.requests, " ", context.searches, " ",
             context.fewest_vehicles, " ", config.SerializeAsString());
}

// An oracle that is made by its first call. Where an actor on another machine prices, this one may
// lack the device, and is never called.
class OracleElsewhere : public Oracle {
 public:
  OracleElsewhere(const OracleConfig& config, const OracleContext& context)
      : config_(config), context_(context) {}

  std::string name() const override { return "elsewhere"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    return Made().Solve(problems);
  }
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override {
    return Made().Improve(problems, plans);
  }

 private:
  Oracle& Made() {
    const std::lock_guard lock(mutex_);
    if (!made_) made_ = ChooseOracle(config_, context_).oracle;
    return *made_;
  }

  const OracleConfig config_;
  const OracleContext context_;
  std::mutex mutex_;
  std::unique_ptr<Oracle> made_;
};

ChosenOracle ChooseShared(const OracleConfig& config, const OracleContext& context,
                          const std::shared_ptr<OraclePort>& port) {
  if (port) return {std::make_unique<RemoteOracle>(port), ""};
  if (config.placement() == OraclePlacement::ACTOR && config.device() == CUDA && !GpuPicks()) {
    return {std::make_unique<OracleElsewhere>(config, context), ""};
  }
  return ChooseOracle(config, context);
}

MadeOracle MakeOwn(const OracleConfig& config, const OracleContext& context) {
  ChosenOracle chosen = ChooseOracle(config, context);
  return {.counted = std::make_shared<CountedOracle>(std::move(chosen.oracle), config.max_batch()),
          .note = std::move(chosen.note)};
}

// Returns this process's only oracle for the config, which lives as long as somebody holds it.
// With a port, it is the one behind the port, whose actor splits and counts batches: here, every
// call counts as one.
MadeOracle MakeShared(const OracleConfig& config, const OracleContext& context,
                      const std::shared_ptr<OraclePort>& port = nullptr) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<SharedOracle>> oracles;
  const std::lock_guard lock(mutex);
  std::weak_ptr<SharedOracle>& known = oracles[KeyOf(config, context, port.get())];
  std::string note;
  std::shared_ptr<SharedOracle> shared = known.lock();
  if (shared == nullptr) {
    ChosenOracle chosen = ChooseShared(config, context, port);
    note = std::move(chosen.note);
    const size_t most = port ? std::numeric_limits<size_t>::max() : config.max_batch();
    shared = std::make_shared<SharedOracle>(std::move(chosen.oracle), most);
    known = shared;
  }
  return {.counted = std::shared_ptr<CountedOracle>(shared, shared->counted.get()),
          .meeting = std::shared_ptr<BatchingOracle>(shared, shared->meeting.get()),
          .note = std::move(note)};
}

}  // namespace

MadeOracle MakeOracle(const OracleConfig& config, const OracleContext& context) {
  if (config.placement() != OraclePlacement::ACTOR) {
    return SharedByShards(config, context) ? MakeShared(config, context) : MakeOwn(config, context);
  }
  return MakeShared(config, context, GetOraclePort());
}

}  // namespace dray
