#include "tests/rollout/recall_env.h"

namespace dray {

RecallEnv::RecallEnv() {
  spec_.name = "recall";
  spec_.observation_size = 2;
  spec_.actions = ActionSpace::Discrete(2);
  spec_.max_episode_steps = 7;
  spec_.episode_stats = {"cut"};
}

void RecallEnv::Reset(Rng& rng, std::span<float> observation) {
  right_ = static_cast<int32_t>(rng.Below(2));
  steps_left_ = 3 + static_cast<int32_t>(rng.Below(4));
  cut_ = rng.Below(2) == 1;
  observation[0] = right_ == 1 ? 1 : -1;
  observation[1] = 0;
}

Outcome RecallEnv::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  --steps_left_;
  observation[0] = 0;
  observation[1] = steps_left_ == 0 ? 1 : 0;
  if (steps_left_ >= 0) return {.truncated = cut_ && steps_left_ == 0};
  return {.reward = action.index == right_ ? 1.0f : 0.0f, .terminated = true};
}

void RecallEnv::Save(ByteWriter& out) const {
  out.Put(right_);
  out.Put(steps_left_);
  out.Put(cut_);
}

void RecallEnv::Load(ByteReader& in) {
  right_ = in.Get<int32_t>();
  steps_left_ = in.Get<int32_t>();
  cut_ = in.Get<bool>();
}

}  // namespace dray
