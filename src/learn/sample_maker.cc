#include "src/learn/sample_maker.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/var.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

// Rows that pass through a network at a time: the hidden layers of a whole rollout could take more
// memory than the rollout. A GPU needs many rows to be busy: as many as give it this number of
// multiplications, a few milliseconds of work.
constexpr int64_t kSlice = 1024, kSliceOnGpu = 65'536, kWorkOnGpu = int64_t{1} << 33;

double MostMagnitude(std::span<const float> numbers) {
  // Several maxima at once: each number would otherwise wait for the comparison before it.
  constexpr size_t kLanes = 16;
  float most[kLanes] = {};
  const size_t whole = numbers.size() / kLanes * kLanes;
  for (size_t i = 0; i < whole; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      most[lane] = std::max(most[lane], std::abs(numbers[i + lane]));
    }
  }
  for (const float number : numbers.subspan(whole)) most[0] = std::max(most[0], std::abs(number));
  return std::ranges::max(most);
}

}  // namespace

template <typename T>
at::Tensor SampleMaker::OnDevice(std::vector<T>& values, at::IntArrayRef sizes) const {
  constexpr auto kType = c10::CppTypeToScalarType<T>::value;
  const at::Device device = nets_.parameters().device();
  if (!device.is_cuda()) return at::from_blob(values.data(), sizes, kType).to(device);
  // A GPU copies from pinned memory by itself, several times faster.
  const at::Tensor pinned = at::empty(sizes, at::TensorOptions(kType).pinned_memory(true));
  T* const to = pinned.mutable_data_ptr<T>();
  team_.ForRanges(values.size(), values.size(), [&](size_t first, size_t end) {
    std::copy(values.begin() + first, values.begin() + end, to + first);
  });
  return pinned.to(device, /*non_blocking=*/true);
}

at::Tensor SampleMaker::Normalized(std::vector<float>& observations, int64_t rows) const {
  if (!scaling_.active()) return OnDevice(observations, {rows, spec_.observation_size});
  std::vector<float> scaled(observations.size());
  scaling_.Apply(observations, scaled);
  return OnDevice(scaled, {rows, spec_.observation_size}).clone();
}

Bags SampleMaker::BagsOf(MergedRollout& rollout) const {
  if (spec_.bag.width == 0) return {};
  const auto on_device = [this](std::vector<int32_t>& values) {
    return OnDevice(values, {std::ssize(values)});
  };
  const int64_t rows = rollout.shape().samples() + rollout.envs();
  return {on_device(rollout.bags.offsets), on_device(rollout.bags.indices),
          at::arange(rows, at::TensorOptions(at::kLong).device(nets_.parameters().device()))};
}

int64_t SampleMaker::RowsAtATime() const {
  if (!nets_.parameters().is_cuda()) return kSlice;
  return std::max(kSliceOnGpu, kWorkOnGpu / nets_.parameters().numel());
}

std::vector<float> SampleMaker::ValuesOf(const NetInput& input) const {
  std::vector<float> values;
  const int64_t all = input.rows(), most = RowsAtATime();
  values.reserve(all);
  for (int64_t start = 0; start < all; start += most) {
    const NetInput slice = input.Slice(start, std::min(most, all - start));
    const std::vector<float> part = steps_.Values(slice);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

std::vector<float> SampleMaker::LogProbsOf(const Samples& samples) const {
  std::vector<float> log_probs;
  log_probs.reserve(samples.rows());
  const int64_t most = RowsAtATime();
  for (int64_t start = 0; start < samples.rows(); start += most) {
    const Samples part = samples.Slice(start, std::min(most, samples.rows() - start));
    const at::Tensor now = nets_.Actions(part.input(), part.masks, part.actions).log_probs;
    const std::vector<float> numbers = ToVector(now);
    log_probs.insert(log_probs.end(), numbers.begin(), numbers.end());
  }
  return log_probs;
}

std::vector<float> SampleMaker::NextValues(const MergedRollout& rollout,
                                           const std::vector<float>& values) const {
  std::vector<float> next(values.begin() + rollout.envs(), values.end());
  if (rollout.cuts.empty()) return next;
  std::vector<float> finals;
  for (const CutEpisode& cut : rollout.cuts) {
    finals.insert(finals.end(), cut.final_observation.begin(), cut.final_observation.end());
  }
  const auto count = std::ssize(rollout.cuts);
  const std::vector<float> final_values = ValuesOf(Normalized(finals, count));
  for (size_t i = 0; i < rollout.cuts.size(); ++i) next[rollout.cuts[i].sample] = final_values[i];
  return next;
}

Samples SampleMaker::Make(MergedRollout& rollout, UpdateReport& report) const {
  const c10::NoGradGuard no_grad;
  const int64_t rows = rollout.shape().samples();
  const NetInput states(Normalized(rollout.observations, rows + rollout.envs()), BagsOf(rollout));
  std::vector<float> values = ValuesOf(states);
  const std::vector<float> next_values = NextValues(rollout, values);
  values.resize(rows);
  report.signs.most_value = MostMagnitude(values);
  report.signs.most_reward = MostMagnitude(rollout.rewards);
  if (!ppo_.bootstrap_truncated()) {
    std::ranges::transform(rollout.terminated, rollout.truncated, rollout.terminated.begin(),
                           std::bit_or<>());
  }

  Samples samples;
  const NetInput before = states.Slice(0, rows);  // without the states after the last step
  samples.observations = before.numbers;
  samples.bags = before.bags;
  if (rollout.shape().mask_size > 0) {
    samples.masks = OnDevice(rollout.masks, {rows, rollout.shape().mask_size}).to(at::kBool);
  }
  samples.actions = spec_.actions.discrete()
                        ? OnDevice(rollout.action_indices, {rows})
                        : OnDevice(rollout.action_values, {rows, rollout.shape().action_values});
  if (ppo_.appraisal_coefficient() > 0) {
    samples.appraisals = OnDevice(rollout.appraisals, {rows, rollout.shape().appraised}).clone();
  }
  samples.log_probs = OnDevice(rollout.log_probs, {rows});

  Targets targets = MakeTargets(rollout, samples, values, next_values);
  // clone: the samples outlive these vectors.
  samples.values = OnDevice(values, {rows}).clone();
  samples.advantages = OnDevice(targets.advantages, {rows}).clone();
  samples.returns = OnDevice(targets.returns, {rows}).clone();
  const double variance = at::var(samples.returns).item<double>();
  const double residual = at::var(samples.returns - samples.values).item<double>();
  report.metrics.Record("train/explained_variance",
                        variance > 0 ? 1 - residual / variance : std::nan(""));
  return samples;
}

Targets SampleMaker::MakeTargets(const MergedRollout& rollout, const Samples& samples,
                                 const std::vector<float>& values,
                                 const std::vector<float>& next_values) const {
  const Trajectories trajectories{rollout.steps(), rollout.envs(),     rollout.rewards,  values,
                                  next_values,     rollout.terminated, rollout.truncated};
  const float gamma = ppo_.gamma(), lambda = ppo_.gae_lambda();
  if (ppo_.max_policy_lag() == 0) return Gae(trajectories, gamma, lambda, team_);
  // A = vs - V, with traces that decay by lambda: for on-policy data this is exactly GAE.
  std::vector<float> log_ratios = LogProbsOf(samples);
  std::ranges::transform(log_ratios, rollout.log_probs, log_ratios.begin(), std::minus<>());
  Targets targets;
  VTraceSettings settings{.gamma = gamma, .lambda = lambda};
  settings.rho_bar = ppo_.vtrace_rho_bar();
  settings.c_bar = ppo_.vtrace_c_bar();
  targets.returns = VTrace(trajectories, log_ratios, settings).vs;
  targets.advantages.resize(values.size());
  std::ranges::transform(targets.returns, values, targets.advantages.begin(), std::minus<>());
  return targets;
}

}  // namespace dray
