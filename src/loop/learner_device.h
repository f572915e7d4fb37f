#pragma once

#include <c10/core/Device.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/learn/learner.h"
#include "src/rollout/env_shard.h"

namespace dray {

// Seconds that learning from one sample takes on a device, all passes over it included.
struct LearningTime {
  at::Device device;
  double sample_s;
};

// Returns the first time within a tenth of the fastest. Candidates are listed in order of
// preference.
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

// Returns the fastest device, or the first that is within a tenth of it.
DeviceChoice QuickestDevice(const std::vector<LearningTime>& times);

// Tries the devices, listed in order of preference, and returns the fastest. A device whose trial
// fails is left out, with the reason in `why`; if all fail, the CPU is chosen.
DeviceChoice TryDevices(const std::vector<at::Device>& devices,
                        const std::function<LearningTime(const at::Device&)>& time_learning);

// A few environments of the config's task, for short rollouts.
EnvShard SmallShard(const Config& config, const EnvSpec& spec);

// Published weights of a policy that has learned nothing.
std::string UntrainedWeights(const Config& config, const EnvSpec& spec);

// Repeats real updates on one short rollout, for timing. The learning rate is 0: the policy stays
// as it is, and cannot diverge however often the same samples are learned from.
class LearningTrial {
 public:
  LearningTrial(const Config& config, const EnvSpec& spec, const at::Device& device);

  // Performs one update and returns how many seconds it took.
  double Update();
  // Number of samples in an update.
  int64_t samples() const { return samples_; }
  const at::Tensor& parameters() const { return learner_.nets().parameters(); }

 private:
  Learner learner_;
  Rollout rollout_;
  std::vector<std::string_view> batches_;
  int64_t samples_ = 0;
};

// Times one or more real updates on `device`.
LearningTime TimeLearning(const Config& config, const EnvSpec& spec, const at::Device& device);

// Chooses the learner's device: `run.device` if set, else `scale.learner_device`, else whichever is
// faster here.
DeviceChoice LearnerDevice(const Config& config, const EnvSpec& spec);

}  // namespace dray
