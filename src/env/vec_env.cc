#include "src/env/vec_env.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/env/action_box.h"

namespace dray {
namespace {

const EnvSpec& SpecOfFirst(const std::vector<std::unique_ptr<Env>>& envs) {
  DRAY_CHECK(!envs.empty());
  return envs.front()->spec();
}

}  // namespace

VecEnv::VecEnv(std::vector<std::unique_ptr<Env>> envs, const EnvStreams& streams)
    : spec_(SpecOfFirst(envs)),
      observation_size_(spec_.observation_size),
      mask_size_(spec_.masked ? static_cast<size_t>(spec_.actions.count) : 0),
      clipped_(spec_.actions.low.size()) {
  // Only discrete actions can be forbidden.
  DRAY_CHECK(!spec_.masked || spec_.actions.discrete());
  // Bags and rollout statistics are for families that step themselves.
  DRAY_CHECK(spec_.bag.width == 0 && spec_.rollout_stats.empty());
  members_.reserve(envs.size());
  for (size_t i = 0; i < envs.size(); ++i) {
    members_.push_back(
        {std::move(envs[i]), Rng(streams.seed, streams.purpose, streams.first_index + i)});
  }
}

void VecEnv::OnRollout(const RolloutContext& context) {
  for (Member& member : members_) member.env->OnProgress(context.progress);
}

void VecEnv::Reset(std::span<float> observations, std::span<uint8_t> masks,
                   std::span<int16_t> bags) {
  DRAY_CHECK(bags.empty());
  DRAY_CHECK_EQ(observations.size(), members_.size() * observation_size_);
  DRAY_CHECK_EQ(masks.size(), members_.size() * mask_size_);
  for (size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    member.total_reward = 0;
    member.length = 0;
    member.env->Reset(member.rng, observations.subspan(i * observation_size_, observation_size_));
    if (mask_size_ > 0) member.env->WriteMask(masks.subspan(i * mask_size_, mask_size_));
  }
}

void VecEnv::Step(const Actions& actions, const StepSlots& slots) {
  CheckSizes(actions, slots);
  for (size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    const auto observation = slots.observations.subspan(i * observation_size_, observation_size_);
    const Outcome outcome = member.env->Step(ActionOf(actions, i), member.rng, observation);
    slots.rewards[i] = outcome.reward;
    slots.terminated[i] = outcome.terminated;
    slots.truncated[i] = outcome.truncated;
    member.total_reward += outcome.reward;
    ++member.length;
    if (outcome.terminated || outcome.truncated) {
      std::copy(observation.begin(), observation.end(),
                slots.final_observations.begin() + i * observation_size_);
      CloseEpisode(i);
      member.env->Reset(member.rng, observation);
    }
    if (mask_size_ > 0) member.env->WriteMask(slots.masks.subspan(i * mask_size_, mask_size_));
  }
}

Action VecEnv::ActionOf(const Actions& actions, size_t i) {
  if (spec_.actions.discrete()) {
    const int32_t index = actions.indices[i];
    DRAY_CHECK_GE(index, 0);
    DRAY_CHECK_LT(index, spec_.actions.count);
    return {.index = index, .values = {}};
  }
  const auto values = actions.values.subspan(i * clipped_.size(), clipped_.size());
  ClipToBox(spec_, i, values, clipped_);
  return {.index = 0, .values = clipped_};
}

void VecEnv::CloseEpisode(size_t i) {
  Member& member = members_[i];
  Episode episode{.env = static_cast<int>(i),
                  .length = member.length,
                  .total_reward = member.total_reward,
                  .stats = std::vector<double>(spec_.episode_stats.size())};
  if (!episode.stats.empty()) member.env->WriteEpisodeStats(episode.stats);
  episodes_.push_back(std::move(episode));
  member.total_reward = 0;
  member.length = 0;
}

void VecEnv::CheckSizes(const Actions& actions, const StepSlots& slots) const {
  const size_t n = members_.size();
  if (spec_.actions.discrete()) {
    DRAY_CHECK_EQ(actions.indices.size(), n);
  } else {
    DRAY_CHECK_EQ(actions.values.size(), n * clipped_.size());
  }
  DRAY_CHECK_EQ(slots.observations.size(), n * observation_size_);
  DRAY_CHECK_EQ(slots.final_observations.size(), n * observation_size_);
  DRAY_CHECK_EQ(slots.masks.size(), n * mask_size_);
  DRAY_CHECK_EQ(slots.rewards.size(), n);
  DRAY_CHECK_EQ(slots.terminated.size(), n);
  DRAY_CHECK_EQ(slots.truncated.size(), n);
}

std::vector<Episode> VecEnv::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string VecEnv::Render(int env) const {
  DRAY_CHECK_GE(env, 0);
  DRAY_CHECK_LT(env, size());
  return members_[env].env->Render();
}

std::string VecEnv::Frame(int env) const {
  DRAY_CHECK_GE(env, 0);
  DRAY_CHECK_LT(env, size());
  return members_[env].env->Frame();
}

void VecEnv::Save(ByteWriter& out) const {
  SaveBatchName(spec_.name, size(), out);
  for (const Member& member : members_) SaveMember(member, out);
  SaveEpisodes(episodes_, out);
}

void VecEnv::Load(ByteReader& in) {
  ExpectSavedBatch(spec_.name, size(), in);
  for (Member& member : members_) LoadMember(member, in);
  episodes_ = LoadEpisodes(spec_, size(), in);
}

void VecEnv::SaveMember(const Member& member, ByteWriter& out) const {
  member.rng.Save(out);
  out.Put(member.total_reward);
  out.Put(member.length);
  // Behind its size, so that an environment that reads too much or too little is found out at once.
  ByteWriter state;
  member.env->Save(state);
  out.PutString(state.bytes());
}

void VecEnv::LoadMember(Member& member, ByteReader& in) {
  member.rng.Load(in);
  const auto total_reward = in.Get<double>();
  const auto length = in.Get<int64_t>();
  if (!std::isfinite(total_reward) || length < 0 || length > spec_.max_episode_steps) {
    throw Failure("a saved episode of ", spec_.name, " is damaged: return ", total_reward,
                  " after ", length, " steps");
  }
  member.total_reward = total_reward;
  member.length = length;
  ByteReader state(in.GetView(), "the saved state of " + spec_.name);
  member.env->Load(state);
  state.ExpectEnd();
}

}  // namespace dray
