#include "src/nets/actor_critic.h"

#include <ATen/ops/full.h>

#include "src/base/error.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

at::Tensor Leaf(const at::Tensor& values, at::Device device) {
  return values.to(device).detach().set_requires_grad(true);
}

}  // namespace

ActorCritic::ActorCritic(const EnvSpec& spec, const NetworkConfig& config, Rng& rng,
                         at::Device device)
    : actor_net_(LayerSizes(spec, config, spec.actions.outputs()), config.activation()),
      critic_net_(LayerSizes(spec, config, 1), config.activation()) {
  actor_ = Leaf(actor_net_.Init(/*output_gain=*/0.01, rng), device);
  critic_ = Leaf(critic_net_.Init(/*output_gain=*/1.0, rng), device);
  if (!spec.actions.discrete()) {
    log_std_ =
        Leaf(at::full({spec.actions.outputs()}, config.initial_log_std(), at::kFloat), device);
  }
}

ActionStats ActorCritic::Actions(const at::Tensor& observations, const at::Tensor& masks,
                                 const at::Tensor& actions) const {
  const at::Tensor outputs = actor_net_.Forward(observations, actor_);
  return log_std_.defined() ? DiagonalGaussian(outputs, log_std_, actions)
                            : MaskedCategorical(outputs, masks, actions);
}

at::Tensor ActorCritic::Values(const at::Tensor& observations) const {
  return critic_net_.Forward(observations, critic_).squeeze(1);
}

std::vector<at::Tensor> ActorCritic::ActorParameters() const {
  if (log_std_.defined()) return {actor_, log_std_};
  return {actor_};
}

std::vector<std::pair<std::string, at::Tensor>> ActorCritic::NamedParameters() const {
  std::vector<std::pair<std::string, at::Tensor>> named;
  const auto add = [&named](const std::string& prefix, const Mlp& net, const at::Tensor& flat) {
    const auto layers = net.Layers(flat.detach());
    for (size_t i = 0; i < layers.size(); ++i) {
      named.emplace_back(Cat(prefix, ".", i, ".weight"), layers[i].weight);
      named.emplace_back(Cat(prefix, ".", i, ".bias"), layers[i].bias);
    }
  };
  add("actor", actor_net_, actor_);
  if (log_std_.defined()) named.emplace_back("actor.log_std", log_std_.detach());
  add("critic", critic_net_, critic_);
  return named;
}

PolicyWeights ActorCritic::Publish(int64_t version, const ObservationScaling& scaling) const {
  PolicyWeights weights;
  weights.version = version;
  weights.actor = ToVector(actor_);
  if (log_std_.defined()) weights.log_std = ToVector(log_std_);
  weights.scaling = scaling;
  return weights;
}

void ActorCritic::Save(ByteWriter& out) const {
  SaveTensor(out, actor_);
  SaveTensor(out, critic_);
  if (log_std_.defined()) SaveTensor(out, log_std_);
}

void ActorCritic::Load(ByteReader& in) {
  LoadTensor(in, actor_);
  LoadTensor(in, critic_);
  if (log_std_.defined()) LoadTensor(in, log_std_);
}

}  // namespace dray
