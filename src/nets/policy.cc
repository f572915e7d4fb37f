#include "src/nets/policy.h"

#include "src/base/error.h"

namespace dray {

std::vector<int64_t> LayerSizes(const EnvSpec& spec, const NetworkConfig& config, int outputs) {
  std::vector<int64_t> sizes = {spec.observation_size};
  sizes.insert(sizes.end(), config.hidden().begin(), config.hidden().end());
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
    : observation_size_(spec.observation_size),
      net_(LayerSizes(spec, config, spec.actions.outputs()), config.activation()) {
  weights_.actor.resize(net_.parameter_count());
  weights_.log_std.resize(spec.actions.discrete() ? 0 : spec.actions.outputs());
}

void Policy::Load(std::string_view bytes) {
  PolicyWeights weights = PolicyWeights::FromBytes(bytes);
  const auto scaled = static_cast<int64_t>(weights.scaling.mean.size());
  if (weights.actor.size() != weights_.actor.size() ||
      weights.log_std.size() != weights_.log_std.size() ||
      (scaled != 0 && scaled != observation_size_) ||
      weights.scaling.scale.size() != weights.scaling.mean.size()) {
    throw Failure("these weights belong to another network: ", weights.actor.size(),
                  " parameters where ", weights_.actor.size(),
                  " were expected; use the config they were trained with");
  }
  weights_ = std::move(weights);
}

std::span<const float> Policy::Outputs(std::span<const float> observations) {
  if (weights_.scaling.active()) {
    scaled_.resize(observations.size());
    weights_.scaling.Apply(observations, scaled_);
    observations = scaled_;
  }
  return net_.Forward(weights_.actor, observations);
}

}  // namespace dray
