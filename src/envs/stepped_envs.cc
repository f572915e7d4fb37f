#include "src/envs/stepped_envs.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "src/base/error.h"
#include "src/config/fields.h"
#include "src/env/registry.h"

namespace dray {
namespace {

int CheckedCount(int64_t count) {
  const Rule& rule = RuleOf(*FindPath(*ScaleConfig::descriptor(), "num_envs"));
  if (count < rule.min() || count > rule.max()) {
    throw UsageError("num_envs: ", count, " is out of range; it must be from ",
                     NumberText(rule.min()), " to ", NumberText(rule.max()));
  }
  return static_cast<int>(count);
}

}  // namespace

SteppedEnvs::SteppedEnvs(const EnvConfig& config, uint64_t seed, int64_t count)
    : envs_(MakeBatchEnv(config, {.seed = seed}, CheckedCount(count))) {
  const size_t n = count;
  const ActionSpace& actions = spec().actions;
  const size_t outputs = actions.outputs();
  (actions.discrete() ? action_indices_.resize(n) : action_values_.resize(n * outputs));
  taken_indices_.resize(action_indices_.size());
  observations_.resize(n * static_cast<size_t>(observation_size()));
  final_observations_.resize(observations_.size());
  if (spec().masked) masks_.resize(n * outputs);
  rewards_.resize(n);
  terminated_.resize(n);
  truncated_.resize(n);
  if (HasBag()) {
    numbers_.resize(n * static_cast<size_t>(spec().observation_size));
    final_numbers_.resize(numbers_.size());
    bags_.resize(n * static_cast<size_t>(spec().bag.indices()));
    joined_.resize(n * static_cast<size_t>(spec().bag.width));
  }
  SetProgress(1);
}

void SteppedEnvs::SetProgress(double progress) {
  if (!(progress >= 0 && progress <= 1))
    throw UsageError("progress is from 0 to 1, not ", progress);
  envs_->OnRollout({.progress = progress, .side_model = {}});
}

void SteppedEnvs::Reset() {
  envs_->Reset(HasBag() ? numbers_ : observations_, masks_, bags_);
  begun_ = true;
  if (HasBag()) WriteOut(/*all_new=*/true);
}

void SteppedEnvs::Step() {
  CheckBegun("step");
  envs_->Step(TakeActions(), {.observations = HasBag() ? numbers_ : observations_,
                              .masks = masks_,
                              .rewards = rewards_,
                              .terminated = terminated_,
                              .truncated = truncated_,
                              .final_observations = HasBag() ? final_numbers_ : final_observations_,
                              .bags = bags_});
  if (HasBag()) WriteOut(/*all_new=*/false);
}

void SteppedEnvs::CheckBegun(const char* what) const {
  if (!begun_) throw UsageError("no episode has begun: call reset before ", what);
}

Actions SteppedEnvs::TakeActions() {
  const int count = spec().actions.count;
  for (size_t i = 0; i < action_indices_.size(); ++i) {
    // Read once: what was checked is what is taken.
    const int64_t action = std::atomic_ref(action_indices_[i]).load(std::memory_order_relaxed);
    if (action < 0 || action >= count) {
      throw UsageError("environment ", i, ": there is no action ", action, "; they are 0 to ",
                       count - 1);
    }
    taken_indices_[i] = static_cast<int32_t>(action);
  }
  taken_values_ = action_values_;
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(taken_values_, finite)) {
    throw UsageError("an action is not a finite number");
  }
  return {.indices = taken_indices_, .values = taken_values_};
}

void SteppedEnvs::WriteOut(bool all_new) {
  const BagSpec& bag = spec().bag;
  const auto width = static_cast<size_t>(bag.width), indices = static_cast<size_t>(bag.indices());
  const size_t own = bag.own;
  const size_t numbers = spec().observation_size;
  for (size_t i = 0; i < static_cast<size_t>(size()); ++i) {
    float* row = observations_.data() + i * (width + numbers);
    const std::span<float> joined(joined_.data() + i * width, width);
    const bool ended = !all_new && (terminated_[i] || truncated_[i]);
    if (ended) {
      // The last state of an episode has no bag of its own: nobody acts in it.
      float* final = final_observations_.data() + i * (width + numbers);
      std::ranges::copy(joined, final);
      std::copy_n(final_numbers_.data() + i * numbers, numbers, final + width);
    }
    if (all_new || ended) std::ranges::fill(joined, 0.0f);
    const int16_t* named = bags_.data() + i * indices;
    for (size_t j = own; j < indices; ++j) {
      if (named[j] >= 0) joined[named[j]] += 1;
    }
    std::ranges::copy(joined, row);
    for (size_t j = 0; j < own; ++j) {
      if (named[j] >= 0) row[named[j]] += 1;
    }
    std::copy_n(numbers_.data() + i * numbers, numbers, row + width);
  }
}

std::string SteppedEnvs::Render(int env) const {
  if (env < 0 || env >= size()) {
    throw UsageError("there is no environment ", env, "; they are 0 to ", size() - 1);
  }
  CheckBegun("render");
  return envs_->Render(env);
}

void SteppedEnvs::Save(ByteWriter& out) const {
  CheckBegun("save");
  envs_->Save(out);
  out.PutVector(observations_);
  out.PutVector(masks_);
  out.PutVector(joined_);
}

void SteppedEnvs::Load(ByteReader& in) {
  ByteWriter before;
  if (begun_) envs_->Save(before);
  std::vector<float> observations(observations_.size()), joined(joined_.size());
  std::vector<uint8_t> masks(masks_.size());
  try {
    envs_->Load(in);
    in.GetInto(std::span(observations));
    in.GetInto(std::span(masks));
    in.GetInto(std::span(joined));
    in.ExpectEnd();
    if (std::ranges::any_of(masks, [](uint8_t mask) { return mask > 1; })) {
      throw Failure("the environments' saved state is damaged: a mask is neither 0 nor 1");
    }
  } catch (const Error&) {
    if (begun_) {
      ByteReader back(before.bytes(), "the environments' state");
      envs_->Load(back);
    }
    throw;
  }
  // In place: callers hold the addresses.
  std::ranges::copy(observations, observations_.begin());
  std::ranges::copy(masks, masks_.begin());
  std::ranges::copy(joined, joined_.begin());
  begun_ = true;
}

}  // namespace dray
