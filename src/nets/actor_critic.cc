#include "src/nets/actor_critic.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "src/nets/attention_net.h"
#include "src/nets/gru.h"
#include "src/nets/memory.h"
#include "src/nets/mlp.h"
#include "src/nets/net_shape.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

// Makes an autograd leaf that shares memory with a part of the flat parameters and gradients.
at::Tensor Leaf(const at::Tensor& parameters, const at::Tensor& gradients, int64_t start,
                int64_t length) {
  at::Tensor leaf = parameters.narrow(0, start, length).detach().set_requires_grad(true);
  leaf.mutable_grad() = gradients.narrow(0, start, length);
  return leaf;
}

// Aligns each network's weights so that vector loads do not straddle cache lines, which saves a
// tenth of an update's time.
int64_t Aligned(int64_t floats) { return (floats + 15) / 16 * 16; }

std::unique_ptr<Net> MakeNet(const EnvSpec& spec, const NetworkConfig& config, NetRole role) {
  if (config.kind() == ATTENTION) {
    return std::make_unique<AttentionNet>(AttentionShape(spec, config, role));
  }
  if (spec.memory > 0 && role == NetRole::kActor) {
    return std::make_unique<Gru>(GruShape(spec, config));
  }
  return std::make_unique<Mlp>(LayerSizes(spec, config, OutputsOf(spec, role)),
                               config.activation());
}

}  // namespace

ActorCritic::ActorCritic(const EnvSpec& spec, const NetworkConfig& config, Rng& rng,
                         at::Device device)
    : spec_(WithMemory(spec, config)),
      config_(config),
      actor_net_(MakeNet(spec_, config, NetRole::kActor)),
      critic_net_(MakeNet(spec_, config, NetRole::kCritic)) {
  const int64_t deviations = spec.actions.discrete() ? 0 : spec.actions.outputs();
  const at::Tensor actor = actor_net_->Init(/*output_gain=*/0.01, rng);
  const at::Tensor critic = critic_net_->Init(/*output_gain=*/1.0, rng);
  const int64_t critic_start = Aligned(actor.numel() + deviations);
  parameters_ =
      at::cat({actor, at::full({deviations}, config.initial_log_std(), at::kFloat),
               at::zeros({critic_start - actor.numel() - deviations}, at::kFloat), critic})
          .to(device);
  gradients_ = at::zeros_like(parameters_);
  actor_ = Leaf(parameters_, gradients_, 0, actor.numel());
  if (deviations > 0) log_std_ = Leaf(parameters_, gradients_, actor.numel(), deviations);
  critic_ = Leaf(parameters_, gradients_, critic_start, critic.numel());
}

ActionStats ActorCritic::Actions(const NetInput& input, const at::Tensor& masks,
                                 const at::Tensor& actions) const {
  const at::Tensor outputs = actor_net_->Forward(input, actor_);
  ActionStats stats = log_std_.defined() ? DiagonalGaussian(outputs, log_std_, actions)
                                         : MaskedCategorical(outputs, masks, actions);
  stats.outputs = outputs;
  return stats;
}

at::Tensor ActorCritic::Values(const NetInput& input) const {
  return critic_net_->Forward(input, critic_).squeeze(1);
}

void ActorCritic::ZeroActorGradients() { gradients_.narrow(0, 0, actor_parameter_count()).zero_(); }

void ActorCritic::ZeroCriticGradients() { critic_.grad().zero_(); }

int64_t ActorCritic::actor_parameter_count() const { return parameters_.numel() - critic_.numel(); }

NamedTensors ActorCritic::NamedParameters() const {
  NamedTensors named;
  const auto add = [&named](const std::string& prefix, const Net& net, const at::Tensor& flat) {
    for (auto& [name, tensor] : net.Named(flat.detach())) named.emplace_back(prefix + name, tensor);
  };
  add("actor.", *actor_net_, actor_);
  if (log_std_.defined()) named.emplace_back("actor.log_std", log_std_.detach());
  add("critic.", *critic_net_, critic_);
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
