#include "src/envs/dvrptw/judging/policies.h"

#include <array>

#include "src/base/error.h"
#include "src/envs/delivery/judging/one_by_one.h"

namespace dray::dvrptw {
namespace {

const ActionMask& TrueMask(const NegotiateEnv& env, int index) {
  return MaskOf(env.day(index).rider().type);
}

int32_t DrawFrom(std::span<const uint8_t> mask, Rng& rng) {
  std::array<int32_t, kShiftActions> allowed;
  uint32_t count = 0;
  for (int32_t action = 0; action < kShiftActions; ++action) {
    if (mask[action] != 0) allowed[count++] = action;
  }
  return allowed[rng.Below(count)];
}

Rng RngAt(const NegotiateEnv& env, int index, uint64_t seed) {
  return delivery::ActionRng(env.day(index).key(), env.day(index).step(), seed);
}

// Returns the action with the lowest added cost and patience; among equals, no shift, then the
// smallest shift.
int32_t Cheapest(NegotiateEnv& env, int index, std::span<const uint8_t> mask, double weight) {
  std::array<int64_t, kShiftActions> costs;
  env.PriceActions(index, costs);
  const auto price = [&](int32_t action) {
    return costs[action] + kTicksPerMinute * PatiencePenalty(action, weight);
  };
  int32_t best = kNoShift;
  for (int32_t action = 0; action < kShiftActions; ++action) {
    if (mask[action] != 0 && price(action) < price(best) - 1e-9) best = action;
  }
  return best;
}

constexpr const char* kNames[] = {"none",       "random",         "random_accepted",
                                  "max_shift",  "myopic_hopeful", "myopic_believed",
                                  "myopic_true"};

}  // namespace

std::vector<std::string> BaselineNames() { return {std::begin(kNames), std::end(kNames)}; }

std::unique_ptr<Player> MakeBaseline(const std::string& name, NegotiateEnv& env, double weight,
                                     uint64_t seed) {
  const auto made = [](delivery::OneByOne::Choose choose) {
    return std::make_unique<delivery::OneByOne>(std::move(choose));
  };
  static constexpr auto kEverything = [] {
    ActionMask mask{};
    mask.fill(1);
    return mask;
  }();
  if (name == "none") return made([](int, auto) { return kNoShift; });
  if (name == "random") {
    return made([&env, seed](int index, auto) {
      Rng rng = RngAt(env, index, seed);
      return DrawFrom(kEverything, rng);
    });
  }
  if (name == "random_accepted") {
    return made([&env, seed](int index, auto) {
      Rng rng = RngAt(env, index, seed);
      return DrawFrom(TrueMask(env, index), rng);
    });
  }
  if (name == "max_shift") {
    return made([&env](int index, auto) { return LargestShift(TrueMask(env, index)); });
  }
  if (name == "myopic_hopeful") {
    return made(
        [&env, weight](int index, auto) { return Cheapest(env, index, kEverything, weight); });
  }
  if (name == "myopic_believed") {
    return made([&env, weight](int index, std::span<const uint8_t> mask) {
      return Cheapest(env, index, mask, weight);
    });
  }
  if (name == "myopic_true") {
    return made([&env, weight](int index, auto) {
      return Cheapest(env, index, TrueMask(env, index), weight);
    });
  }
  std::string known;
  for (const char* other : kNames) known += Cat(known.empty() ? "" : ", ", other);
  throw UsageError("--baselines: there is no baseline \"", name, "\"; known: all, ", known,
                   ", lookahead, plan, hindsight");
}

}  // namespace dray::dvrptw
