#pragma once

#include <cstdint>

#include "src/learn/divergence.h"

namespace dray {

// What an update did. Losses, KL, entropy and gradient norm are means over its minibatches.
struct UpdateReport {
  int64_t version = 0;  // of the policy after the update
  double policy_loss = 0, value_loss = 0, entropy = 0;
  double kl_k1 = 0, kl_k3 = 0, clip_fraction = 0;
  double appraisal_loss = 0;
  double grad_norm = 0;
  double gradient_signal =
      0;  // of the policy, in the first pass; not a number: one minibatch alone
  double explained_variance = 0;
  double learning_rate = 0, clip_range = 0;
  int policy_epochs_run = 0;
  // Largest |ratio - 1| in the first minibatch: shard and learner agree when it is nearly 0.
  // Meaningful for data of the present policy alone.
  double first_ratio_error = 0;
  int64_t lag_min = 0, lag_max = 0;
  double lag_mean = 0;
  double merge_s = 0, learn_s = 0;
  int64_t splits = 0;           // of minibatches, for lack of memory
  int threads = 1;              // at the end
  double published_unix_s = 0;  // when the new weights were on their way; 0: not known
  UpdateSigns signs;
  Divergence divergence = Divergence::kNone;  // what looks bad about it
  double most_credible_value = 0;
  bool restored = false;  // the policy is that of the last update that looked good
};

}  // namespace dray
