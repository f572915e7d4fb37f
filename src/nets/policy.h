#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/env.h"
#include "src/nets/cpu_mlp.h"
#include "src/nets/moments.h"

namespace dray {

// The layer widths of the actor (critic: one output) for an environment.
std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs);

// A policy as the learner publishes it: what a shard needs to act, and nothing else.
struct PolicyWeights {
  int64_t version = 0;
  std::vector<float> actor;    // the actor's flat parameters
  std::vector<float> log_std;  // continuous actions: one per value; else empty
  ObservationScaling scaling;

  std::string ToBytes() const;
  static PolicyWeights FromBytes(std::string_view bytes);
};

// The acting side of a policy, on the CPU, without gradients.
class Policy {
 public:
  Policy(const EnvSpec& spec, const NetworkConfig& config);

  // Takes published weights; those of another network are an Error.
  void Load(std::string_view weights);
  int64_t version() const { return weights_.version; }
  std::span<const float> log_std() const { return weights_.log_std; }

  // Logits or means [rows, outputs] for raw observations [rows, observation_size]. The memory is
  // valid until the next call.
  std::span<const float> Outputs(std::span<const float> observations);

 private:
  int64_t observation_size_;
  CpuMlp net_;
  PolicyWeights weights_;
  std::vector<float> scaled_;
};

}  // namespace dray
