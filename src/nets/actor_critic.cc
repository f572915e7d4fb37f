#include "src/nets/actor_critic.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros_like.h>

#include "src/base/error.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

// A leaf of autograd's graph that shares memory with a part of the flat parameters and gradients.
at::Tensor Leaf(const at::Tensor& parameters, const at::Tensor& gradients, int64_t start,
                int64_t length) {
  at::Tensor leaf = parameters.narrow(0, start, length).detach().set_requires_grad(true);
  leaf.mutable_grad() = gradients.narrow(0, start, length);
  return leaf;
}

}  // namespace

ActorCritic::ActorCritic(const EnvSpec& spec, const NetworkConfig& config, Rng& rng,
                         at::Device device)
    : actor_net_(LayerSizes(spec, config, spec.actions.outputs()), config.activation()),
      critic_net_(LayerSizes(spec, config, 1), config.activation()) {
  const int64_t deviations = spec.actions.discrete() ? 0 : spec.actions.outputs();
  const at::Tensor actor = actor_net_.Init(/*output_gain=*/0.01, rng);
  const at::Tensor critic = critic_net_.Init(/*output_gain=*/1.0, rng);
  parameters_ =
      at::cat({actor, at::full({deviations}, config.initial_log_std(), at::kFloat), critic})
          .to(device);
  gradients_ = at::zeros_like(parameters_);
  actor_ = Leaf(parameters_, gradients_, 0, actor.numel());
  if (deviations > 0) log_std_ = Leaf(parameters_, gradients_, actor.numel(), deviations);
  critic_ = Leaf(parameters_, gradients_, actor.numel() + deviations, critic.numel());
}

ActionStats ActorCritic::Actions(const NetInput& input, const at::Tensor& masks,
                                 const at::Tensor& actions) const {
  const at::Tensor outputs = actor_net_.Forward(input, actor_);
  return log_std_.defined() ? DiagonalGaussian(outputs, log_std_, actions)
                            : MaskedCategorical(outputs, masks, actions);
}

at::Tensor ActorCritic::Values(const NetInput& input) const {
  return critic_net_.Forward(input, critic_).squeeze(1);
}

void ActorCritic::ZeroActorGradients() { gradients_.narrow(0, 0, actor_parameter_count()).zero_(); }

void ActorCritic::ZeroCriticGradients() { critic_.grad().zero_(); }

int64_t ActorCritic::actor_parameter_count() const { return parameters_.numel() - critic_.numel(); }

std::vector<std::pair<std::string, at::Tensor>> ActorCritic::NamedParameters() const {
  std::vector<std::pair<std::string, at::Tensor>> named;
  const auto add = [&named](const std::string& prefix, const Mlp& net, const at::Tensor& flat) {
    const auto layers = net.Layers(flat.detach());
    for (size_t i = 0; i < layers.size(); ++i) {
      named.emplace_back(Cat(prefix, ".", i, ".weight"), layers[i].weight.t());
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

void ActorCritic::Save(ByteWriter& out) const { SaveTensor(out, parameters_); }

void ActorCritic::Load(ByteReader& in) { LoadTensor(in, parameters_); }

}  // namespace dray
