#include "src/loop/env_count.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/config/scale.h"
#include "src/loop/gpu_use.h"
#include "src/loop/run_plan.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr int kMostEnvs = 65536;

}  // namespace

Resources ThisMachine() {
  return {static_cast<double>(std::max(1u, std::thread::hardware_concurrency())),
          MachineMemoryBytes(), GpuUse().FreeBytes()};
}

int CpusForShards(const Config& config, const Resources& resources) {
  const int cpus = std::floor(resources.cpus);
  const int learner =
      config.ppo().max_policy_lag() > 0 ? std::max(1, config.scale().learner_threads()) : 0;
  return std::max(1, cpus - learner);
}

std::string ChooseNumEnvs(const EnvSpec& spec, const Resources& resources, Config* config) {
  ScaleConfig& scale = *config->mutable_scale();
  if (scale.num_envs() > 0) return "";
  const int shards =
      scale.num_workers() > 0 ? scale.num_workers() : CpusForShards(*config, resources);
  const int wanted = std::min<int64_t>(int64_t{shards} * EnvsPerShard(scale), kMostEnvs);
  scale.set_num_envs(wanted);
  const bool may_use_gpu = LearnerDeviceOf(*config) != CPU;
  const auto fits_half = [](int64_t needed, int64_t of) { return of == 0 || needed <= of / 2; };
  const auto fits = [&](const RunPlan& plan) {
    return fits_half(plan.estimated_ram_bytes, resources.memory_bytes) &&
           (!may_use_gpu || fits_half(plan.estimated_gpu_bytes, resources.gpu_bytes));
  };
  RunPlan plan = MakePlan(*config, spec);
  while (!fits(plan) && scale.num_envs() > std::max(1, scale.num_workers())) {
    scale.set_num_envs(std::max({1, scale.num_workers(), scale.num_envs() / 2}));
    plan = MakePlan(*config, spec);
  }
  std::string why = Cat("scale.num_envs auto: ", scale.num_envs(), ", for ",
                        FormatCounted(shards, "shard"), " of ", EnvsPerShard(scale));
  if (scale.num_envs() < wanted) {
    why += Cat(" would be ", wanted, ", more than half of ", FormatBytes(resources.memory_bytes),
               resources.gpu_bytes > 0 && may_use_gpu
                   ? Cat(" or of the GPU's free ", FormatBytes(resources.gpu_bytes))
                   : "");
  } else {
    why += Cat(scale.num_workers() > 0 ? "" : ", one per CPU that steps environments", "; about ",
               FormatBytes(plan.estimated_ram_bytes));
    if (resources.memory_bytes > 0) {
      why += Cat(" of ", FormatBytes(resources.memory_bytes));
    }
  }
  return why;
}

}  // namespace dray
