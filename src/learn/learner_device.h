#pragma once

#include <c10/core/Device.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/rollout/env_shard.h"

namespace dray {

// What learning from one sample takes on a device, every pass over it included.
struct LearningTime {
  at::Device device;
  double sample_s;
};

// Of what was timed, the first that is within a tenth of the quickest: those to be preferred stand
// first.
template <typename Time>
const Time& FirstAboutAsQuick(const std::vector<Time>& times, double Time::*seconds) {
  constexpr double kAboutAsQuick = 1.1;
  const double best_s = std::ranges::min(times, {}, seconds).*seconds;
  return *std::ranges::find_if(
      times, [&](const Time& time) { return time.*seconds <= kAboutAsQuick * best_s; });
}

struct DeviceChoice {
  at::Device device = at::kCPU;
  std::string why;  // one line with what was measured; empty: there was nothing to choose
};

// The quickest; of those within a tenth of it the first.
DeviceChoice QuickestDevice(const std::vector<LearningTime>& times);

// A few environments of the config's task, whose short rollouts show what it takes.
EnvShard SmallShard(const Config& config, const EnvSpec& spec);

// What a policy that has learned nothing publishes.
std::string UntrainedWeights(const Config& config, const EnvSpec& spec);

// By a real update or two from such a rollout.
LearningTime TimeLearning(const Config& config, const EnvSpec& spec, const at::Device& device);

// Where this config's learner is to run on this machine: as run.device says, or
// scale.learner_device; where both are `auto` and there is a GPU, where learning turns out to be
// quicker.
DeviceChoice LearnerDevice(const Config& config, const EnvSpec& spec);

}  // namespace dray
