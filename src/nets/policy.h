#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/cpu_net.h"
#include "src/nets/moments.h"
#include "src/nets/net_shape.h"

namespace dray {

// A policy as the learner publishes it: exactly what a shard needs to act.
struct PolicyWeights {
  int64_t version = 0;
  std::vector<float> actor;    // the actor's flat parameters
  std::vector<float> log_std;  // continuous actions: one per value; else empty
  ObservationScaling scaling;

  std::string ToBytes() const;
  static PolicyWeights FromBytes(std::string_view bytes);
};

// Evaluates a policy on the CPU, without gradients.
class Policy {
 public:
  Policy(const EnvSpec& spec, const NetworkConfig& config);

  // Loads published weights. Throws an Error if they belong to a different network.
  void Load(std::string_view weights);
  int64_t version() const { return weights_.version; }
  std::span<const float> log_std() const { return weights_.log_std; }
  const PolicyWeights& weights() const { return weights_; }

  // Continues episodes that are under way, given the indices that have joined each of them so far.
  // With bags, call it after each Load; the rows of Outputs are then these episodes. Memory begins
  // empty.
  void Resume(std::span<const std::vector<int16_t>> joined);

  // Returns logits or means [rows, outputs] for raw observations [rows, observation_size] and bags
  // [rows, bag.indices()]. The memory is valid until the next call. A row's joining indices keep
  // counting until the row begins another episode. With memory, `observations` are rows as
  // AddMemory makes them.
  std::span<const float> Outputs(std::span<const float> observations,
                                 std::span<const int16_t> bags = {});
  void BeginEpisode(size_t row);

  // Number of rows whose memory is kept for the next call.
  size_t remembering() const { return memory_ == 0 ? 0 : remembered_.size() / memory_; }
  // Returns Outputs for plain observations. With memory, a row goes on from what it remembers since
  // it began an episode; other numbers of rows than in the last call begin episodes.
  std::span<const float> Follow(std::span<const float> observations,
                                std::span<const int16_t> bags = {});
  // Spreads plain observations at the beginning of `rows` over rows that end with what the policy
  // remembers after its last Outputs. Does nothing without memory.
  void AddMemory(std::span<float> rows) const;

 private:
  std::span<const float> BagSums(std::span<const int16_t> bags);
  // Adds the first layer's weights of these indices to `sum`.
  void AddWeights(std::span<const int16_t> indices, std::span<float> sum);

  int64_t observation_size_;
  size_t memory_;  // EnvSpec::memory
  BagSpec bag_;
  std::unique_ptr<CpuNet> net_;
  size_t first_layer_;  // width of the layer that bags go into
  PolicyWeights weights_;
  std::vector<float> scaled_;
  std::vector<float> remembered_;  // the ends of the next rows
  std::vector<float> rows_;        // of Follow
  // The contribution of all joined indices to each row's first layer. Updating it adds a few rows
  // of weights per step instead of about a hundred.
  std::vector<float> joined_sums_;
  std::vector<float> bag_sums_;   // joined_sums_ plus the step's own indices
  std::vector<int32_t> indices_;  // scratch
};

}  // namespace dray
