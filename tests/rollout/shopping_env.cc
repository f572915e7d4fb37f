#include "tests/rollout/shopping_env.h"

#include <utility>

namespace dray {
namespace {

constexpr size_t kNumbers = 3;
constexpr size_t kIndices = 3;  // two shown, one bought

}  // namespace

ShoppingEnv::ShoppingEnv(const EnvStreams& streams, int count) {
  spec_.name = "shopping";
  spec_.observation_size = kNumbers;
  // The first shown, the second shown and what was bought have counts of their own.
  spec_.bag = {.width = 3 * kGoods, .own = 2, .joining = 1};
  spec_.actions = ActionSpace::Discrete(2);
  spec_.max_episode_steps = 6;
  for (int i = 0; i < count; ++i) {
    shoppers_.push_back({Rng(streams.seed, streams.purpose, streams.first_index + i)});
  }
}

void ShoppingEnv::Begin(Shopper& shopper) {
  Shopper fresh{shopper.rng};
  fresh.last_step = 3 + static_cast<int>(fresh.rng.Below(4));
  shopper = fresh;
}

void ShoppingEnv::Show(Shopper& shopper, int bought, std::span<float> observation,
                       std::span<int16_t> bag) {
  for (float& number : observation) number = static_cast<float>(shopper.rng.Normal());
  for (int i = 0; i < 2; ++i) {
    shopper.shown[i] = static_cast<int16_t>(shopper.rng.Below(kGoods));
    bag[i] = static_cast<int16_t>(i * kGoods + shopper.shown[i]);
  }
  bag[2] = static_cast<int16_t>(bought < 0 ? -1 : 2 * kGoods + bought);
}

void ShoppingEnv::Reset(std::span<float> observations, std::span<uint8_t> /*masks*/,
                        std::span<int16_t> bags) {
  for (size_t i = 0; i < shoppers_.size(); ++i) {
    Begin(shoppers_[i]);
    Show(shoppers_[i], -1, observations.subspan(i * kNumbers, kNumbers),
         bags.subspan(i * kIndices, kIndices));
  }
}

void ShoppingEnv::Step(const Actions& actions, const StepSlots& slots) {
  for (size_t i = 0; i < shoppers_.size(); ++i) {
    Shopper& shopper = shoppers_[i];
    int bought = shopper.shown[actions.indices[i]];
    slots.rewards[i] = static_cast<float>(bought - shopper.times_bought[bought]++);
    shopper.total_reward += slots.rewards[i];
    slots.terminated[i] = ++shopper.steps == shopper.last_step;
    slots.truncated[i] = 0;
    if (slots.terminated[i]) {
      episodes_.push_back({static_cast<int>(i), shopper.steps, shopper.total_reward, {}});
      Begin(shopper);
      bought = -1;
    }
    Show(shopper, bought, slots.observations.subspan(i * kNumbers, kNumbers),
         slots.bags.subspan(i * kIndices, kIndices));
  }
}

std::vector<Episode> ShoppingEnv::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string ShoppingEnv::Render(int env) const {
  return std::to_string(shoppers_[static_cast<size_t>(env)].steps) + " goods bought";
}

void ShoppingEnv::Save(ByteWriter& out) const { out.PutVector(shoppers_); }

void ShoppingEnv::Load(ByteReader& in) { in.GetInto<Shopper>(shoppers_); }

std::unique_ptr<BatchEnv> MakeShoppingEnv(const EnvConfig& /*config*/, const EnvStreams& streams,
                                          int count) {
  return std::make_unique<ShoppingEnv>(streams, count);
}

}  // namespace dray
