#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"

namespace dray {

// A kind of task and of loss, to compute gradients for.
struct LossCase {
  std::string name;
  bool discrete;
  bool masked;
  Activation activation;
  LossSettings settings;
  int numbers = 5;  // observed, beside the bag
  BagSpec bag = {};
  TokenSpec tokens = {};  // before the other numbers
};

// One of each kind.
const std::vector<LossCase>& LossCases();

EnvSpec SpecOf(const LossCase& c);
NetworkConfig NetworkOf(const LossCase& c, std::initializer_list<int> hidden);
// By LibTorch's own random numbers. Actions that were taken are allowed.
Samples RandomSamples(const LossCase& c, int64_t rows);
Samples Moved(const Samples& samples, const at::Device& device);

}  // namespace dray
