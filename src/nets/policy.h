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
  const PolicyWeights& weights() const { return weights_; }

  // With bags: the rows of Outputs from now on are episodes under way, in each of which this has
  // joined so far. To be called after each Load.
  void Resume(std::span<const std::vector<int16_t>> joined);

  // Logits or means [rows, outputs] for raw observations [rows, observation_size] and bags [rows,
  // bag.indices()]. The memory is valid until the next call. A row's joining indices count from
  // then on, until the row begins another episode.
  std::span<const float> Outputs(std::span<const float> observations,
                                 std::span<const int16_t> bags = {});
  void BeginEpisode(size_t row);

 private:
  std::span<const float> BagSums(std::span<const int16_t> bags);
  // += the first layer's weights of these indices.
  void AddWeights(std::span<const int16_t> indices, std::span<float> sum);

  int64_t observation_size_;
  BagSpec bag_;
  std::unique_ptr<CpuNet> net_;
  size_t first_layer_;  // width of the layer that bags go into
  PolicyWeights weights_;
  std::vector<float> scaled_;
  // Per row, the first layer's outputs so far as they come from what has joined: a step adds a few
  // rows of weights where all that joined would be a hundred.
  std::vector<float> joined_sums_;
  std::vector<float> bag_sums_;   // those and the step's own
  std::vector<int32_t> indices_;  // scratch
};

}  // namespace dray
