#pragma once

#include <ATen/core/Tensor.h>

#include "src/learn/device/kernel_arguments.h"
#include "src/learn/device/step_buffers.h"
#include "src/learn/steps.h"

namespace dray {

static_assert(sizeof(long long) == sizeof(int64_t), "tensors of int64_t are read as long long");

template <typename T>
const T* Read(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}
template <typename T>
T* Write(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.mutable_data_ptr());
}

// Number of blocks that `items` need.
inline int64_t BlocksFor(int64_t items, int64_t per_block) {
  return (items + per_block - 1) / per_block;
}

inline Place PlaceOf(int64_t rows, const StepBuffers& buffers) {
  return {static_cast<int>(rows), static_cast<int>(buffers.minibatch),
          Read<long long>(buffers.next)};
}

// `log_std` is undefined if actions are discrete.
inline PolicyData PolicyDataOf(const Samples& samples, const LossSettings& settings,
                               const StepBuffers& buffers, const at::Tensor& log_std) {
  PolicyData data;
  data.masks = Read<unsigned char>(samples.masks);
  if (log_std.defined()) {
    data.action_values = Read<float>(samples.actions);
  } else {
    data.actions = Read<long long>(samples.actions);
  }
  data.old_log_probs = Read<float>(samples.log_probs);
  data.advantages = Read<float>(samples.advantages);
  data.moments = settings.normalize_advantages ? Read<AdvantageMoments>(buffers.moments) : nullptr;
  data.appraisals = settings.appraisal_coefficient > 0 ? Read<float>(samples.appraisals) : nullptr;
  data.log_std = Read<float>(log_std);
  return data;
}

inline PolicySettings PolicySettingsOf(const LossSettings& settings) {
  PolicySettings numbers;
  numbers.clip = settings.clip;
  numbers.policy_coefficient = settings.policy_coefficient;
  numbers.entropy_coefficient = settings.entropy_coefficient;
  numbers.appraisal_coefficient = settings.appraisal_coefficient;
  numbers.logits_per_reward = 1 / settings.appraisal_temperature;
  return numbers;
}

inline ValueData ValueDataOf(const Samples& samples, const StepSettings& settings) {
  ValueData data;
  data.old_values = Read<float>(samples.values);
  data.returns = Read<float>(samples.returns);
  data.clip = settings.loss.clip_value ? settings.loss.clip : 0;
  data.scale = settings.value_scale;
  return data;
}

}  // namespace dray
