#include "src/learn/device/perceptron_gradients.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <utility>

#include "src/learn/device/kernel_inputs.h"
#include "src/nets/net_shape.h"

namespace dray {
namespace {

constexpr int64_t kMostLayers = std::size(Perceptron().widths) - 1;
constexpr int64_t kMostParameters = 32'000, kMostWidth = 512;
constexpr int64_t kBlockThreads = 256;       // threads of a block
constexpr int64_t kMostNetworkBlocks = 128;  // blocks of a network: about one per multiprocessor
constexpr int64_t kLeastTile = 4, kMostTile = 64;

int64_t Padded(int64_t count) { return (count + 3) / 4 * 4; }
int64_t Stride(int64_t count) { return Padded(count) + 4; }

int64_t ParametersOf(const std::vector<int64_t>& widths) {
  int64_t count = 0;
  for (size_t i = 0; i + 1 < widths.size(); ++i) count += (widths[i] + 1) * widths[i + 1];
  return count;
}

// Width of the widest layer but the input.
int64_t Widest(const std::vector<int64_t>& widths) {
  return *std::max_element(widths.begin() + 1, widths.end());
}

// Room for the weights of a layer, as they are stored forward and backward.
int64_t WeightsOf(const std::vector<int64_t>& widths) {
  int64_t most = 0;
  for (size_t i = 0; i + 1 < widths.size(); ++i) {
    most = std::max({most, (widths[i] + 1) * Padded(widths[i + 1]),
                     i > 0 ? widths[i + 1] * Stride(widths[i]) : 0});
  }
  return Padded(most);
}

int64_t UnitsOf(const std::vector<int64_t>& widths) {
  int64_t count = 0;
  for (const int64_t width : widths) count += Padded(width);
  return count;
}

// The size of TileMemory.
int64_t BytesFor(int64_t tile, int64_t widest, int64_t weights, int64_t units) {
  const int64_t numbers =
      (2 * kLossTerms + 1) * tile + weights + (2 * Padded(widest) + units) * Stride(tile);
  return numbers * static_cast<int64_t>(sizeof(float));
}

bool Small(const std::vector<int64_t>& widths) {
  return std::ssize(widths) <= kMostLayers + 1 && ParametersOf(widths) <= kMostParameters &&
         *std::max_element(widths.begin(), widths.end()) <= kMostWidth;
}

}  // namespace

Tiling TilingFor(const std::vector<int64_t>& actor, const std::vector<int64_t>& critic,
                 int64_t rows, int64_t most_shared_bytes) {
  const int64_t widest = std::max(Widest(actor), Widest(critic));
  const int64_t units = std::max(UnitsOf(actor), UnitsOf(critic));
  Tiling tiling;
  tiling.weights = std::max(WeightsOf(actor), WeightsOf(critic));
  // Small minibatches are spread over all blocks.
  tiling.tile = kLeastTile;
  while (tiling.tile < kMostTile && tiling.tile * kMostNetworkBlocks < rows) tiling.tile *= 2;
  const auto bytes = [&] { return BytesFor(tiling.tile, widest, tiling.weights, units); };
  while (tiling.tile > kLeastTile && bytes() > most_shared_bytes) tiling.tile /= 2;
  if (bytes() > most_shared_bytes) return {};
  tiling.shared_bytes = bytes();
  tiling.blocks = std::min(kMostNetworkBlocks, BlocksFor(rows, tiling.tile));
  return tiling;
}

std::unique_ptr<PerceptronGradients> PerceptronGradients::Make(ActorCritic& nets,
                                                               CudaProgram& program) {
  if (nets.config().kind() != MLP) return nullptr;
  const auto sizes = [&](NetRole role) {
    return LayerSizes(nets.spec(), nets.config(), OutputsOf(nets.spec(), role));
  };
  std::vector<int64_t> actor = sizes(NetRole::kActor), critic = sizes(NetRole::kCritic);
  if (!Small(actor) || !Small(critic) ||
      TilingFor(actor, critic, kLeastTile, program.most_shared_bytes()).tile == 0) {
    return nullptr;
  }
  return std::unique_ptr<PerceptronGradients>(
      new PerceptronGradients(nets, program, std::move(actor), std::move(critic)));
}

PerceptronGradients::PerceptronGradients(ActorCritic& nets, CudaProgram& program,
                                         std::vector<int64_t> actor, std::vector<int64_t> critic)
    : nets_(nets),
      program_(program),
      actor_sizes_(std::move(actor)),
      critic_sizes_(std::move(critic)) {
  const at::TensorOptions numbers = nets.parameters().options();
  const int64_t all = nets.parameters().numel(), actors = nets.actor_parameter_count();
  actor_partial_ = at::empty({kMostNetworkBlocks, actors}, numbers);
  critic_partial_ = at::empty({kMostNetworkBlocks, all - actors}, numbers);
  terms_ = at::empty({2 * kMostNetworkBlocks, int64_t{kLossTerms}}, numbers.dtype(at::kDouble));
  squares_ = at::empty({BlocksFor(all, kBlockThreads)}, numbers.dtype(at::kDouble));
  actor_squares_ = at::empty_like(squares_);
}

void PerceptronGradients::Launch(Part part, int64_t rows, const StepSettings& settings,
                                 const StepBuffers& buffers, const GradientSignal* signal,
                                 const at::Tensor& optimizer_step) {
  const Tiling tiling = TilingFor(actor_sizes_, critic_sizes_, rows, program_.most_shared_bytes());
  const int64_t actors = nets_.actor_parameter_count();
  const auto perceptron = [&](const std::vector<int64_t>& widths, bool trained) {
    Perceptron net;
    std::copy(widths.begin(), widths.end(), net.widths);
    net.layers = std::ssize(widths) - 1;
    net.is_tanh = nets_.config().activation() == TANH;
    net.blocks = trained ? tiling.blocks : 0;
    return net;
  };
  PerceptronStep step;
  step.actor = perceptron(actor_sizes_, part != Part::kValue);
  step.actor.parameter_count =
      ParametersOf(actor_sizes_) + (nets_.log_std().defined() ? actor_sizes_.back() : 0);
  step.actor.parameters = Read<float>(nets_.parameters());
  step.actor.partial = Write<float>(actor_partial_);
  step.actor.terms = Write<double>(terms_);
  step.critic = perceptron(critic_sizes_, part != Part::kPolicy && settings.value_scale > 0);
  step.critic.parameter_count = ParametersOf(critic_sizes_);
  step.critic.parameters = step.actor.parameters + actors;
  step.critic.partial = Write<float>(critic_partial_);
  step.critic.terms = step.actor.terms + kMostNetworkBlocks * kLossTerms;
  step.place = PlaceOf(rows, buffers);
  step.tile = tiling.tile;
  step.widest = std::max(Widest(actor_sizes_), Widest(critic_sizes_));
  step.order = Read<long long>(buffers.order);
  step.observations = Read<float>(buffers.samples.observations);
  step.policy = PolicyDataOf(buffers.samples, settings.loss, buffers, nets_.log_std());
  step.settings = PolicySettingsOf(settings.loss);
  step.value = ValueDataOf(buffers.samples, settings);
  const int weights = tiling.weights;
  program_.Launch("DifferentiatePerceptrons",
                  {step.actor.blocks + step.critic.blocks, kBlockThreads, tiling.shared_bytes},
                  step, weights);

  GradientSums sums;
  sums.gradients = Write<float>(nets_.gradients());
  sums.critic_start = actors;
  sums.squares = Write<double>(squares_);
  sums.actor_squares = Write<double>(actor_squares_);
  sums.signal = signal ? Write<float>(signal->sum()) : nullptr;
  sums.sums = Write<double>(buffers.sums);
  sums.ratio_error = Write<float>(buffers.ratio_error);
  sums.step = Write<float>(optimizer_step);
  program_.Launch("SumPerceptrons", {squares_.numel() + 1, kBlockThreads}, step, sums);
}

}  // namespace dray
