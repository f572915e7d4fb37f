#include "src/cluster/layout.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/config/scale.h"
#include "src/output/format.h"

namespace dray {
namespace {

// A process that hosts a role, before it has any environments.
constexpr double kActorBytes = 150e6;
// Batches of so many epochs lie in the store at a time: those that wait, those that are learned
// from, and those that are being written.
constexpr double kEpochsInStore = 4;
constexpr double kLeastShare = 0.01;

bool Asynchronous(const Config& config) { return config.ppo().max_policy_lag() > 0; }

double LearnerCpus(const Config& config) {
  if (config.ray().learner_cpus() > 0) return config.ray().learner_cpus();
  return Asynchronous(config) ? std::max(1, config.scale().learner_threads()) : 0;
}

double ShardCpus(const Config& config, const RunPlan& plan, const Cluster::Info& info) {
  if (config.ray().shard_cpus() > 0) return config.ray().shard_cpus();
  const double left = info.free_cpus - LearnerCpus(config);
  const double share = left / plan.actors();
  return std::clamp(std::floor(share / kLeastShare) * kLeastShare, kLeastShare,
                    static_cast<double>(plan.shards_per_actor));
}

std::string Number(double value) { return FormatSignificant(value, 4); }

}  // namespace

std::vector<Cluster::Bundle> ClusterLayout::Bundles(int shards) const {
  std::vector<Cluster::Bundle> bundles(shards, {shard_cpus, 0});
  bundles.push_back({std::max(learner_cpus, kLeastShare), learner_gpus});
  for (int i = 0; i < oracles; ++i) bundles.push_back({kLeastShare, oracle_gpus});
  return bundles;
}

Sharding ShardingOf(const Config& config, const EnvSpec& spec, const Cluster::Info& info) {
  const double cpus = info.cpus - (Asynchronous(config) ? LearnerCpus(config) : 0);
  Sharding sharding;
  sharding.most_shards = std::max(1, static_cast<int>(std::floor(cpus)));
  if (config.ray().shards_per_actor() > 0) {
    sharding.shards_per_actor = config.ray().shards_per_actor();
  } else if (info.nodes == 1 && config.scale().num_workers() == 0) {
    // One actor makes one call per rollout, whatever the number of its shards. With oracle actors
    // there are two for each: one steps its environments while the oracle works for the other.
    const int actors = std::max(1, 2 * spec.service_actors);
    sharding.shards_per_actor = (sharding.most_shards + actors - 1) / actors;
  }
  return sharding;
}

ClusterLayout LayOut(const Config& config, const RunPlan& plan, int oracles,
                     const Cluster::Info& info) {
  ClusterLayout layout;
  layout.oracles = oracles;
  layout.shard_cpus = ShardCpus(config, plan, info);
  layout.learner_cpus = LearnerCpus(config);
  const double shards = plan.actors();
  const double cpus = shards * layout.shard_cpus + layout.learner_cpus;
  if (cpus > info.free_cpus + 1e-9) {
    throw Failure(
        "the cluster at ", info.address, " has ", Number(info.free_cpus), " CPUs free of ",
        Number(info.cpus), "; ", plan.actors(),
        plan.shards_per_actor > 1 ? " actors of shards with " : " shards with ",
        Number(layout.shard_cpus), " each and a learner with ", Number(layout.learner_cpus),
        " need ", Number(cpus),
        ": add a node, lower --num-workers or ray.shard_cpus, or end what else runs there");
  }
  const Device device = LearnerDeviceOf(config);
  const double share = std::min(1.0, info.free_gpus / (1.0 + oracles));
  if (device == CUDA) {
    layout.learner_gpus = config.ray().learner_gpus() > 0 ? config.ray().learner_gpus()
                          : config.run().device() == CUDA ? 1
                                                          : share;
    if (info.gpus < 1) {
      throw Failure("device cuda: the cluster at ", info.address,
                    " has no GPU; use --device cpu or auto, or add a node that has one");
    }
  } else if (device == AUTO && info.free_gpus > 0) {
    layout.learner_gpus = config.ray().learner_gpus() > 0 ? config.ray().learner_gpus() : share;
  }
  if (oracles > 0) {
    const double left = std::max(0.0, info.free_gpus - layout.learner_gpus);
    layout.oracle_gpus =
        config.ray().oracle_gpus() > 0 ? config.ray().oracle_gpus() : std::min(1.0, left / oracles);
  }
  const double gpus = layout.learner_gpus + oracles * layout.oracle_gpus;
  if (gpus > info.free_gpus + 1e-9) {
    throw Failure("the cluster at ", info.address, " has ", Number(info.free_gpus),
                  " GPUs free of ", Number(info.gpus), "; this run asks for ", Number(gpus),
                  ": lower ray.learner_gpus or ray.oracle_gpus, or add a node");
  }
  const double memory = (shards + 2 + oracles) * kActorBytes + plan.estimated_ram_bytes;
  if (info.memory_bytes > 0 && memory > info.memory_bytes) {
    throw Failure("the cluster at ", info.address, " has ", FormatBytes(info.memory_bytes),
                  " of memory; this run needs about ", FormatBytes(memory),
                  ": use fewer environments (--num-envs) or fewer shards");
  }
  const double store = kEpochsInStore * plan.rollout_bytes;
  if (info.object_store_bytes > 0 && store > info.object_store_bytes) {
    throw Failure("the object store of the cluster at ", info.address, " holds ",
                  FormatBytes(info.object_store_bytes), "; the batches of this run need ",
                  FormatBytes(store),
                  ": start Ray with a larger --object-store-memory, or use fewer environments");
  }
  return layout;
}

}  // namespace dray
