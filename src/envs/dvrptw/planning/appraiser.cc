#include "src/envs/dvrptw/planning/appraiser.h"

#include <algorithm>

namespace dray::dvrptw {

Appraiser::Appraiser(const World& world, const Foresight::Settings& settings, int futures)
    : world_(world),
      futures_(futures),
      options_(world, settings.patience_weight),
      foresight_(world, settings),
      types_(TrueTypes(world.riders)) {}

void Appraiser::Appraise(const Day& day, std::span<const uint8_t> accepted,
                         std::span<float> gains) {
  std::ranges::fill(gains, 0.0f);
  options_.Load(day, accepted);
  if (options_.actions().size() == 1) return;
  std::vector<int> pending = PendingRiders(world_, day);
  Rng rng = delivery::DecisionRng(day.key(), day.step(), /*stream=*/2);
  for (int i = 0; i < futures_; ++i) {
    DrawFuture(world_, types_, pending, rng, future_);
    const uint64_t chance = rng.Next64();
    const double unshifted = foresight_.Play(options_, kNoShift, future_, chance);
    for (const int action : options_.actions()) {
      if (action == kNoShift) continue;
      const double gain = unshifted - foresight_.Play(options_, action, future_, chance);
      gains[action] += static_cast<float>(gain / futures_);
    }
  }
}

}  // namespace dray::dvrptw
