#include "src/envs/dvrptw/oracle_training/sequence_trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "src/base/error.h"
#include "src/base/parallel_for.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/nets/tensor_bytes.h"
#include "src/oracle/neural/torch_sequence_picker.h"

namespace dray::dvrptw {
namespace {

// More than any plan costs, so that sequences that serve everybody are better.
constexpr int64_t kUnservedCost = 1'000'000;

at::Tensor ParametersOf(const SequenceWeights& weights, const at::Device& device) {
  at::Tensor flat = at::empty({std::ssize(weights.values)}, at::kFloat);
  std::ranges::copy(weights.values, flat.mutable_data_ptr<float>());
  return flat.to(device).set_requires_grad(true);
}

// Seconds from one call to the next.
class Laps {
 public:
  double Next() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

SequenceTrainer::SequenceTrainer(const SequenceWeights& weights, const TrainingProblems& problems,
                                 const SequenceTrainerOptions& options, const at::Device& device)
    : problems_(problems),
      options_(options),
      shape_{weights.shape, options.most_requests, {}},
      device_(device),
      parameters_(ParametersOf(weights, device)),
      first_moment_(at::zeros_like(parameters_)),
      second_moment_(at::zeros_like(parameters_)),
      adam_step_(at::zeros({}, parameters_.options().requires_grad(false))),
      net_(weights.shape, parameters_),
      insertions_(options.threads) {
  DRAY_CHECK_GE(options.starts, 2);
  next_ = std::async(std::launch::async, [this] { return MakeMaterial(0); });
}

SequenceTrainer::~SequenceTrainer() {
  if (next_.valid()) next_.wait();
}

SequenceTrainer::Material SequenceTrainer::MakeMaterial(int64_t step) const {
  Rng rng(options_.seed, kProblemsStream, step + 1);
  const uint32_t sizes = options_.most_requests - options_.fewest_requests + 1;
  const int requests =
      options_.fewest_requests + static_cast<int>(std::max(rng.Below(sizes), rng.Below(sizes)));
  const uint64_t seed = rng.Next64();
  Material material;
  material.problems.resize(options_.batch);
  ParallelFor(options_.threads, material.problems.size(), [&](size_t i, int) {
    Rng own(seed, kProblemsStream, i);
    material.problems[i] = problems_.Draw(requests, own);
  });
  std::vector<const Problem*> pointers;
  for (const Problem& problem : material.problems) pointers.push_back(&problem);
  ThreadTeam team(options_.threads);
  material.batch = MakeRequestBatch(pointers, requests, team, device_);
  return material;
}

// Draws different first requests for the last starts of each problem; -1 for the others.
at::Tensor SequenceTrainer::DrawFirsts(int64_t problems, int64_t requests) const {
  const auto options = parameters_.options().requires_grad(false);
  const int64_t forced =
      std::min<int64_t>(static_cast<int64_t>(options_.forced_share * options_.starts), requests);
  const at::Tensor shuffled = at::rand({problems, requests}, options).argsort(/*stable=*/false, -1);
  at::Tensor firsts = at::zeros({problems, options_.starts}, options.dtype(at::kLong)) - 1;
  firsts.narrow(1, options_.starts - forced, forced).copy_(shuffled.narrow(1, 0, forced));
  return firsts;
}

at::Tensor SequenceTrainer::Price(const std::vector<Problem>& problems, const at::Tensor& picks) {
  const auto starts = static_cast<size_t>(picks.size(1)),
             requests = static_cast<size_t>(picks.size(2));
  const int* sequence = picks.const_data_ptr<int>();
  at::Tensor costs = at::empty({picks.size(0), picks.size(1)}, at::kFloat);
  auto* cost = costs.mutable_data_ptr<float>();
  ParallelFor(options_.threads, problems.size(), [&](size_t i, int thread) {
    SequenceInsertion& insertion = insertions_[thread];
    insertion.Load(problems[i]);
    for (size_t start = i * starts; start < (i + 1) * starts; ++start) {
      const PlanCost plan = insertion.Price({sequence + start * requests, requests});
      cost[start] = static_cast<float>(plan.total() + plan.unserved * kUnservedCost);
    }
  });
  return costs;
}

SequenceTrainingStep SequenceTrainer::Step(double learning_rate) {
  SequenceTrainingStep step;
  Laps laps;
  const Material material = next_.get();
  const int64_t problems = material.batch.tokens.size(0);
  step.requests = material.batch.tokens.size(1);
  step.problems_s = laps.Next();

  const at::Tensor firsts = DrawFirsts(problems, step.requests);
  const TorchSequenceNet::Encoded encoded = net_.Encode(material.batch);
  const at::Tensor sequences = net_.Sample(encoded, firsts);
  const at::Tensor picks = sequences.to(at::kInt).to(at::kCPU);
  step.sequences_s = laps.Next();
  const at::Tensor costs = Price(material.problems, picks);
  step.prices_s = laps.Next();
  // The next problems are made while the device learns.
  next_ = std::async(std::launch::async, [this] { return MakeMaterial(steps_ + 1); });

  const at::Tensor mean = costs.mean(1, true);
  const at::Tensor spread = costs.std(1, /*unbiased=*/true, /*keepdim=*/true);
  const at::Tensor advantages = ((mean - costs) / (spread + 1)).to(device_);
  const at::Tensor log_probs = net_.LogProbs(encoded, sequences);
  at::Tensor chosen = log_probs.sum(2);
  // A first request that was forced was not the net's choice.
  chosen = chosen - at::where(firsts >= 0, log_probs.select(2, 0), 0.0);
  const at::Tensor loss = -(advantages * chosen).mean();
  loss.backward();
  Descend(learning_rate);
  step.mean_cost = mean.mean().item<double>();
  step.entropy = -log_probs.detach().mean().item<double>();
  step.learning_s = laps.Next();
  ++steps_;
  return step;
}

void SequenceTrainer::Descend(double learning_rate) {
  const c10::NoGradGuard no_grad;
  at::Tensor& gradient = parameters_.mutable_grad();
  const at::Tensor norm = at::linalg_vector_norm(gradient);
  gradient.mul_((options_.max_grad_norm / (norm + 1e-6)).clamp_max(1));
  adam_step_.add_(1);
  at::_fused_adam_({parameters_}, {gradient}, {first_moment_}, {second_moment_},
                   /*max_exp_avg_sqs=*/{}, {adam_step_}, learning_rate, /*beta1=*/0.9,
                   /*beta2=*/0.99, /*weight_decay=*/0, /*eps=*/1e-8, /*amsgrad=*/false,
                   /*maximize=*/false);
  gradient.zero_();
}

SequenceWeights SequenceTrainer::weights() const {
  SequenceWeights weights = shape_;
  weights.values = ToVector(parameters_);
  return weights;
}

}  // namespace dray::dvrptw
