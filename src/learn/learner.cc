#include "src/learn/learner.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/var.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/learn/ppo_loss.h"
#include "src/nets/tensor_bytes.h"

namespace dray {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ActorCritic MakeNets(const Config& config, const EnvSpec& spec, at::Device device) {
  Rng rng(config.train().seed(), RngPurpose::kInit, 0);
  return ActorCritic(spec, config.network(), rng, device);
}

int ValueEpochs(const PpoConfig& ppo) {
  return ppo.value_epochs() == 0 ? ppo.policy_epochs() : ppo.value_epochs();
}

template <typename T>
at::Tensor OnDevice(std::vector<T>& values, at::IntArrayRef sizes, at::Device device) {
  return at::from_blob(values.data(), sizes, c10::CppTypeToScalarType<T>::value).to(device);
}

}  // namespace

Learner::Learner(const Config& config, const EnvSpec& spec, at::Device device)
    : config_(config),
      spec_(spec),
      device_(device),
      nets_(MakeNets(config, spec, device)),
      observation_moments_(spec.observation_size),
      return_moments_(1) {
  std::vector<at::Tensor> actor = nets_.ActorParameters();
  if (ValueEpochs(config.ppo()) == config.ppo().policy_epochs()) {
    for (const at::Tensor& critic : nets_.CriticParameters()) actor.push_back(critic);
    optimizers_.emplace_back(actor, config.ppo());
  } else {
    optimizers_.emplace_back(actor, config.ppo());
    optimizers_.emplace_back(nets_.CriticParameters(), config.ppo());
  }
}

UpdateReport Learner::Update(const std::vector<std::string_view>& batches, double remaining) {
  const PpoConfig& ppo = config_.ppo();
  const auto start = Clock::now();
  UpdateReport report;
  std::vector<BatchReader> readers(batches.begin(), batches.end());
  report.lag_min = version_ - readers[0].origin().policy_version;
  for (const BatchReader& reader : readers) {
    const int64_t lag = version_ - reader.origin().policy_version;
    report.lag_min = std::min(report.lag_min, lag);
    report.lag_max = std::max(report.lag_max, lag);
    report.lag_mean += static_cast<double>(lag) / static_cast<double>(readers.size());
  }
  JoinedRollout rollout(readers);
  report.join_s = SecondsSince(start);

  const auto learning = Clock::now();
  report.learning_rate =
      ppo.learning_rate() * (ppo.learning_rate_schedule() == LINEAR ? remaining : 1.0);
  report.clip_range = ppo.clip() * (ppo.clip_schedule() == LINEAR ? remaining : 1.0);
  // Statistics change between updates alone: what a shard acted with is what its samples are read
  // with.
  if (config_.normalize().rewards()) NormalizeRewards(rollout);
  const Samples samples = Prepare(rollout, report);
  Rng rng(config_.train().seed(), RngPurpose::kMinibatch, static_cast<uint64_t>(updates_));
  if (optimizers_.size() == 1) {
    report.policy_epochs_run = TrainEpochs(Part::kPolicyAndValue, ppo.policy_epochs(),
                                           optimizers_[0], samples, rng, report);
  } else {
    report.policy_epochs_run =
        TrainEpochs(Part::kPolicy, ppo.policy_epochs(), optimizers_[0], samples, rng, report);
    TrainEpochs(Part::kValue, ValueEpochs(ppo), optimizers_[1], samples, rng, report);
  }
  if (config_.normalize().observations()) {
    observation_moments_.Add(
        std::span<const float>(rollout.observations)
            .first(static_cast<size_t>(rollout.shape().samples()) * spec_.observation_size));
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip());
  }
  ++updates_;
  report.version = ++version_;
  report.learn_s = SecondsSince(learning);
  return report;
}

void Learner::NormalizeRewards(JoinedRollout& rollout) {
  return_moments_.Add(rollout.discounted_returns);
  const auto scale = static_cast<float>(1.0 / std::sqrt(return_moments_.Variance()[0] + 1e-8));
  const auto clip = static_cast<float>(config_.normalize().clip());
  for (float& reward : rollout.rewards) reward = std::clamp(reward * scale, -clip, clip);
}

at::Tensor Learner::Normalized(std::vector<float>& observations, int64_t rows) const {
  if (!scaling_.active()) return OnDevice(observations, {rows, spec_.observation_size}, device_);
  std::vector<float> scaled(observations.size());
  scaling_.Apply(observations, scaled);
  return OnDevice(scaled, {rows, spec_.observation_size}, device_).clone();
}

std::vector<float> Learner::NextValues(const JoinedRollout& rollout,
                                       const std::vector<float>& values) const {
  std::vector<float> next(values.begin() + rollout.envs(), values.end());
  if (rollout.cuts.empty()) return next;
  std::vector<float> finals;
  for (const CutEpisode& cut : rollout.cuts) {
    finals.insert(finals.end(), cut.final_observation.begin(), cut.final_observation.end());
  }
  const auto count = static_cast<int64_t>(rollout.cuts.size());
  const std::vector<float> final_values = ToVector(nets_.Values(Normalized(finals, count)));
  for (size_t i = 0; i < rollout.cuts.size(); ++i) next[rollout.cuts[i].sample] = final_values[i];
  return next;
}

Samples Learner::Prepare(JoinedRollout& rollout, UpdateReport& report) {
  const c10::NoGradGuard no_grad;
  const PpoConfig& ppo = config_.ppo();
  const int64_t rows = rollout.shape().samples();
  const at::Tensor observations = Normalized(rollout.observations, rows + rollout.envs());
  std::vector<float> values = ToVector(nets_.Values(observations));
  const std::vector<float> next_values = NextValues(rollout, values);
  values.resize(static_cast<size_t>(rows));
  if (!ppo.bootstrap_truncated()) {
    for (size_t i = 0; i < rollout.truncated.size(); ++i)
      rollout.terminated[i] |= rollout.truncated[i];
  }

  Samples samples;
  samples.observations = observations.narrow(0, 0, rows);
  if (rollout.shape().mask_size > 0) {
    samples.masks =
        OnDevice(rollout.masks, {rows, rollout.shape().mask_size}, device_).to(at::kBool);
  }
  samples.actions =
      spec_.actions.discrete()
          ? OnDevice(rollout.action_indices, {rows}, device_)
          : OnDevice(rollout.action_values, {rows, rollout.shape().action_values}, device_);
  samples.log_probs = OnDevice(rollout.log_probs, {rows}, device_);

  const Trajectories trajectories{rollout.steps(), rollout.envs(),     rollout.rewards,  values,
                                  next_values,     rollout.terminated, rollout.truncated};
  const auto gamma = static_cast<float>(ppo.gamma()), lambda = static_cast<float>(ppo.gae_lambda());
  Targets targets;
  if (ppo.max_policy_lag() == 0) {
    targets = Gae(trajectories, gamma, lambda);
  } else {
    const at::Tensor now =
        nets_.Actions(samples.observations, samples.masks, samples.actions).log_probs;
    targets.returns = VTrace(trajectories, ToVector(now - samples.log_probs),
                             {gamma, lambda, static_cast<float>(ppo.vtrace_rho_bar()),
                              static_cast<float>(ppo.vtrace_c_bar())})
                          .vs;
    targets.advantages.resize(values.size());
    std::ranges::transform(targets.returns, values, targets.advantages.begin(), std::minus<>());
  }
  // clone: the samples outlive these vectors.
  samples.values = OnDevice(values, {rows}, device_).clone();
  samples.advantages = OnDevice(targets.advantages, {rows}, device_).clone();
  samples.returns = OnDevice(targets.returns, {rows}, device_).clone();
  const double variance = at::var(samples.returns).item<double>();
  const double residual = at::var(samples.returns - samples.values).item<double>();
  report.explained_variance = variance > 0 ? 1 - residual / variance : std::nan("");
  return samples;
}

int Learner::TrainEpochs(Part part, int epochs, Optimizer& optimizer, const Samples& samples,
                         Rng& rng, UpdateReport& report) {
  const PpoConfig& ppo = config_.ppo();
  const int64_t rows = samples.rows();
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  UpdateReport sums;
  int64_t minibatches = 0;
  int epoch = 0;
  while (epoch < epochs) {
    rng.Shuffle(std::span(order));
    const Samples shuffled = samples.Rows(OnDevice(order, {rows}, device_));
    const double kl_before = sums.kl_k3;
    const int64_t minibatches_before = minibatches;
    for (int64_t start = 0; start < rows; start += ppo.minibatch_size(), ++minibatches) {
      const int64_t length = std::min<int64_t>(ppo.minibatch_size(), rows - start);
      optimizer.ZeroGrad();
      sums.clip_range = report.clip_range;
      MinibatchLoss(part, shuffled.Slice(start, length), sums).backward();
      sums.grad_norm += optimizer.Step(report.learning_rate).item<double>();
      if (minibatches == 0 && part != Part::kValue)
        report.first_ratio_error = sums.first_ratio_error;
    }
    ++epoch;
    const double kl =
        (sums.kl_k3 - kl_before) / static_cast<double>(minibatches - minibatches_before);
    if (part != Part::kValue && ppo.target_kl() > 0 && kl > ppo.target_kl()) break;
  }
  const auto count = static_cast<double>(minibatches);
  if (part != Part::kValue) {
    report.policy_loss = sums.policy_loss / count;
    report.entropy = sums.entropy / count;
    report.kl_k1 = sums.kl_k1 / count;
    report.kl_k3 = sums.kl_k3 / count;
    report.clip_fraction = sums.clip_fraction / count;
    report.grad_norm = sums.grad_norm / count;
  }
  if (part != Part::kPolicy) report.value_loss = sums.value_loss / count;
  return epoch;
}

at::Tensor Learner::MinibatchLoss(Part part, const Samples& samples, UpdateReport& sums) const {
  const PpoConfig& ppo = config_.ppo();
  at::Tensor loss;
  if (part != Part::kValue) {
    const ActionStats now = nets_.Actions(samples.observations, samples.masks, samples.actions);
    const at::Tensor advantages =
        ppo.normalize_advantages() ? NormalizedAdvantages(samples.advantages) : samples.advantages;
    const PolicyLoss policy =
        ClippedPolicyLoss(now.log_probs, samples.log_probs, advantages, sums.clip_range);
    const at::Tensor entropy = now.entropy.mean();
    loss = policy.loss - ppo.entropy_coefficient() * entropy;
    sums.policy_loss += policy.loss.item<double>();
    sums.entropy += entropy.item<double>();
    sums.kl_k1 += policy.kl_k1.item<double>();
    sums.kl_k3 += policy.kl_k3.item<double>();
    sums.clip_fraction += policy.clip_fraction.item<double>();
    sums.first_ratio_error = policy.ratio_error.item<double>();
  }
  if (part != Part::kPolicy) {
    const double clip = ppo.clip_value_loss() ? sums.clip_range : 0;
    const at::Tensor value =
        ValueLoss(nets_.Values(samples.observations), samples.values, samples.returns, clip);
    sums.value_loss += value.item<double>();
    if (part == Part::kPolicyAndValue) {
      loss = loss + ppo.value_coefficient() * value;
    } else {
      loss = value;
    }
  }
  return loss;
}

std::string Learner::Publish() const { return nets_.Publish(version_, scaling_).ToBytes(); }

std::string Learner::Save() const {
  ByteWriter out;
  out.Put(version_);
  out.Put(updates_);
  nets_.Save(out);
  for (const Optimizer& optimizer : optimizers_) optimizer.Save(out);
  observation_moments_.Save(out);
  return_moments_.Save(out);
  return out.Take();
}

void Learner::Load(std::string_view state) {
  ByteReader in(state, "the learner's saved state");
  version_ = in.Get<int64_t>();
  updates_ = in.Get<int64_t>();
  nets_.Load(in);
  for (Optimizer& optimizer : optimizers_) optimizer.Load(in);
  observation_moments_.Load(in);
  return_moments_.Load(in);
  in.ExpectEnd();
  if (config_.normalize().observations() && observation_moments_.count() > 0) {
    scaling_ = ObservationScaling::From(observation_moments_, config_.normalize().clip());
  }
}

}  // namespace dray
