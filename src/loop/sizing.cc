#include "src/loop/sizing.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/loop/run_plan.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

constexpr int kMostEnvs = 65536;

// In asynchronous mode the learner works while shards do.
int CpusForShards(const Config& config, const Resources& resources) {
  const int cpus = static_cast<int>(std::floor(resources.cpus));
  const int learner =
      config.ppo().max_policy_lag() > 0 ? std::max(1, config.scale().learner_threads()) : 0;
  return std::max(1, cpus - learner);
}

}  // namespace

std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.num_envs() > 0) return "";
  const int shards =
      scale.num_workers() > 0 ? scale.num_workers() : CpusForShards(*config, resources);
  const int wanted =
      static_cast<int>(std::min<int64_t>(int64_t{shards} * scale.envs_per_shard(), kMostEnvs));
  scale.set_num_envs(wanted);
  const auto bytes = [&] { return MakePlan(*config, spec).estimated_ram_bytes; };
  while (resources.memory_bytes > 0 && bytes() > resources.memory_bytes / 2 &&
         scale.num_envs() > std::max(1, scale.num_workers())) {
    scale.set_num_envs(std::max({1, scale.num_workers(), scale.num_envs() / 2}));
  }
  std::string why = Cat("scale.num_envs auto: ", scale.num_envs(), ", for ", shards,
                        shards == 1 ? " shard of " : " shards of ", scale.envs_per_shard());
  if (scale.num_envs() < wanted) {
    why += Cat(" would be ", wanted, ", more than half of ",
               FormatBytes(static_cast<double>(resources.memory_bytes)));
  } else {
    why += Cat(scale.num_workers() > 0 ? "" : ", one per CPU that steps environments", "; about ",
               FormatBytes(static_cast<double>(bytes())));
    if (resources.memory_bytes > 0) {
      why += Cat(" of ", FormatBytes(static_cast<double>(resources.memory_bytes)));
    }
  }
  return why;
}

}  // namespace dray
