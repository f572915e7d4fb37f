#include "tests/envs/dvrptw/flexibility/simulated_riders.h"

#include "src/base/rng.h"
#include "src/envs/dvrptw/episode.h"

namespace dray::dvrptw {

SimulatedRiders::SimulatedRiders(int riders, double noise, uint64_t seed)
    : riders_(GenerateRiders(GenerateCity(seed, 50, /*asymmetric=*/false), riders,
                             delivery::UNIFORM, seed)),
      noise_(noise),
      seed_(seed) {}

std::vector<Choice> SimulatedRiders::Play(const Beliefs& beliefs, double epsilon, int episodes) {
  std::vector<Choice> choices;
  for (int i = 0; i < episodes; ++i, ++episode_) {
    Rng rng(seed_, RngPurpose::kAction, episode_);
    for (const Arrival& arrival :
         DrawEpisode({.seed = seed_, .episode = episode_}, riders_, noise_)) {
      const Rider& rider = riders_[static_cast<size_t>(arrival.rider)];
      std::span<const uint8_t> mask = beliefs.mask(arrival.rider);
      if (arrival.explore_draw < epsilon) mask = MaskOf(arrival.explore_as);
      uint32_t action = 0;
      do {
        action = rng.Below(kShiftActions);
      } while (mask[action] == 0);
      const bool accepted = Answer(AcceptByType, rider, rider.pool[arrival.trip],
                                   static_cast<int>(action), arrival.contrary);
      choices.push_back({.rider = arrival.rider,
                         .action = static_cast<int16_t>(action),
                         .accepted = static_cast<int16_t>(accepted)});
    }
  }
  return choices;
}

double SimulatedRiders::ShareRight(const Beliefs& beliefs) const {
  double right = 0;
  for (size_t i = 0; i < riders_.size(); ++i) right += beliefs.types()[i] == riders_[i].type;
  return right / static_cast<double>(riders_.size());
}

}  // namespace dray::dvrptw
