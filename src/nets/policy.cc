#include "src/nets/policy.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>

#include "src/base/error.h"

namespace dray {

std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs) {
  std::vector<int64_t> sizes = {spec.observation_size};
  if (config.hidden().empty()) {
    sizes.insert(sizes.end(), {64, 64});
  } else {
    sizes.insert(sizes.end(), config.hidden().begin(), config.hidden().end());
  }
  sizes.push_back(outputs);
  return sizes;
}

std::string PolicyWeights::ToBytes() const {
  ByteWriter out;
  out.Put(version);
  out.PutVector(actor);
  out.PutVector(log_std);
  out.PutVector(scaling.mean);
  out.PutVector(scaling.scale);
  out.Put(scaling.clip);
  return out.Take();
}

PolicyWeights PolicyWeights::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "a policy's weights");
  PolicyWeights weights;
  weights.version = in.Get<int64_t>();
  weights.actor = in.GetVector<float>();
  weights.log_std = in.GetVector<float>();
  weights.scaling.mean = in.GetVector<float>();
  weights.scaling.scale = in.GetVector<float>();
  weights.scaling.clip = in.Get<float>();
  in.ExpectEnd();
  return weights;
}

Policy::Policy(const EnvSpec& spec, const NetworkConfig& config)
    : net_(LayerSizes(spec, config, spec.actions.outputs()), config.activation()),
      observation_size_(spec.observation_size) {
  weights_.log_std.resize(spec.actions.discrete() ? 0 : spec.actions.outputs());
}

void Policy::Load(std::string_view bytes) {
  PolicyWeights weights = PolicyWeights::FromBytes(bytes);
  const auto parameters = static_cast<int64_t>(weights.actor.size());
  const auto scaled = static_cast<int64_t>(weights.scaling.mean.size());
  if (parameters != net_.parameter_count() || weights.log_std.size() != weights_.log_std.size() ||
      (scaled != 0 && scaled != observation_size_) ||
      weights.scaling.scale.size() != weights.scaling.mean.size()) {
    throw Failure("these weights belong to another network: ", parameters, " parameters where ",
                  net_.parameter_count(), " were expected; use the config they were trained with");
  }
  weights_ = std::move(weights);
  const c10::InferenceMode inference;
  parameters_ = at::from_blob(weights_.actor.data(), {net_.parameter_count()}, at::kFloat);
}

std::span<const float> Policy::Outputs(std::span<const float> observations) {
  DRAY_CHECK(parameters_.defined());
  const c10::InferenceMode inference;
  if (weights_.scaling.active()) {
    scaled_.resize(observations.size());
    weights_.scaling.Apply(observations, scaled_);
    observations = scaled_;
  }
  const auto rows = static_cast<int64_t>(observations.size()) / observation_size_;
  const at::Tensor input =
      at::from_blob(const_cast<float*>(observations.data()), {rows, observation_size_}, at::kFloat);
  outputs_ = net_.Forward(input, parameters_);
  return {outputs_.const_data_ptr<float>(), static_cast<size_t>(outputs_.numel())};
}

}  // namespace dray
