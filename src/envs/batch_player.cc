#include "src/envs/batch_player.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dray {

BatchPlayer::BatchPlayer(std::unique_ptr<BatchEnv> batch, const EnvStreams& streams)
    : env(std::move(batch)),
      size_(static_cast<size_t>(env->size())),
      observation_size_(static_cast<size_t>(env->spec().observation_size)) {
  const EnvSpec& spec = env->spec();
  const auto outputs = static_cast<size_t>(spec.actions.outputs());
  indices.resize(spec.actions.discrete() ? size_ : 0);
  values.resize(spec.actions.discrete() ? 0 : size_ * outputs);
  observations.resize(size_ * observation_size_);
  masks.resize(spec.masked ? size_ * outputs : 0);
  rewards.resize(size_);
  terminated.resize(size_);
  truncated.resize(size_);
  final_observations.resize(size_ * observation_size_);
  bags.resize(size_ * static_cast<size_t>(spec.bag.indices()));
  for (size_t i = 0; i < size_; ++i) {
    action_rngs_.emplace_back(streams.seed, RngPurpose::kAction, streams.first_index + i);
  }
}

void BatchPlayer::Reset() {
  Poison();
  env->Reset(observations, masks, bags);
}

void BatchPlayer::Step() {
  DrawActions();
  StepWith({.indices = indices, .values = values});
}

void BatchPlayer::StepWith(const Actions& actions) {
  Poison();
  env->Step(actions, Slots());
}

StepSlots BatchPlayer::Slots() {
  return {.observations = observations,
          .masks = masks,
          .rewards = rewards,
          .terminated = terminated,
          .truncated = truncated,
          .final_observations = final_observations,
          .bags = bags};
}

void BatchPlayer::DrawActions() {
  const ActionSpace& space = env->spec().actions;
  const auto outputs = static_cast<size_t>(space.outputs());
  for (size_t i = 0; i < size_; ++i) {
    Rng& rng = action_rngs_[i];
    if (space.discrete()) {
      // One draw per step whatever the mask, so that a stream's position never depends on it.
      const uint32_t draw = rng.Next32();
      std::vector<int32_t> allowed;
      for (size_t k = 0; k < outputs; ++k) {
        if (masks.empty() || masks[i * outputs + k] != 0) allowed.push_back(static_cast<int>(k));
      }
      indices[i] = allowed.empty() ? 0 : allowed[draw % allowed.size()];
    } else {
      for (size_t k = 0; k < outputs; ++k) {
        values[i * outputs + k] = static_cast<float>(rng.Uniform(space.low[k], space.high[k]));
      }
    }
  }
}

void BatchPlayer::Poison() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::fill(observations.begin(), observations.end(), kNan);
  std::fill(final_observations.begin(), final_observations.end(), kNan);
  std::fill(rewards.begin(), rewards.end(), kNan);
  std::fill(masks.begin(), masks.end(), uint8_t{0xCC});
  std::fill(terminated.begin(), terminated.end(), uint8_t{0xCC});
  std::fill(truncated.begin(), truncated.end(), uint8_t{0xCC});
  std::fill(bags.begin(), bags.end(), int16_t{-0x3333});
}

std::span<const float> BatchPlayer::ObservationOf(size_t i) const {
  return std::span(observations).subspan(i * observation_size_, observation_size_);
}

std::span<const float> BatchPlayer::FinalObservationOf(size_t i) const {
  return std::span(final_observations).subspan(i * observation_size_, observation_size_);
}

std::string BatchPlayer::BytesOf(size_t i) const {
  ByteWriter out;
  out.PutSpan<float>(ObservationOf(i));
  out.PutSpan<float>(FinalObservationOf(i));
  const size_t mask_size = masks.size() / size_;
  out.PutSpan<uint8_t>(std::span(masks).subspan(i * mask_size, mask_size));
  const size_t bag_size = bags.size() / size_;
  out.PutSpan<int16_t>(std::span(bags).subspan(i * bag_size, bag_size));
  out.Put(rewards[i]);
  out.Put(terminated[i]);
  out.Put(truncated[i]);
  return out.Take();
}

std::string BatchPlayer::Saved() const {
  ByteWriter out;
  env->Save(out);
  return out.Take();
}

void BatchPlayer::Load(std::string_view bytes) {
  ByteReader in(bytes, "saved environments");
  env->Load(in);
  in.ExpectEnd();
}

}  // namespace dray
