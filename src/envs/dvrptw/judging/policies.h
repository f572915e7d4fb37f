#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray {

// What a policy may look at, of all environments.
struct DeliveryView {
  std::span<const float> observations;
  std::span<const uint8_t> masks;
  std::span<const int16_t> bags;
};

// A way to play the delivery task.
class DeliveryPolicy {
 public:
  virtual ~DeliveryPolicy() = default;
  virtual std::string name() const = 0;
  // One action per environment of `env`, whose episodes all began together.
  virtual void Act(NegotiateEnv& env, const DeliveryView& view, std::span<int32_t> actions) = 0;
};

// The policies to beat, from the one that never shifts to the one that knows every type. They
// choose from the same prices that the third encoding shows to a network.
//   none              no shift, ever
//   random            any of the 16 actions
//   random_accepted   any that the rider agrees to
//   max_shift         the largest shift that the rider agrees to
//   myopic_hopeful    the cheapest insertion, patience included, as if riders agreed to everything
//   myopic_believed   the same over what the beliefs allow
//   myopic_true       the same over what the rider agrees to
std::vector<std::string> BaselineNames();
std::unique_ptr<DeliveryPolicy> MakeBaseline(const std::string& name, double patience_weight,
                                             uint64_t seed);

// A trained policy, by its most probable action. `weights` as the learner published them.
std::unique_ptr<DeliveryPolicy> MakeLearned(const Config& config, std::string_view weights);

}  // namespace dray
