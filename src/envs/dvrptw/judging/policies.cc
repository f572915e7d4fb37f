#include "src/envs/dvrptw/judging/policies.h"

#include <array>
#include <functional>

#include "src/base/error.h"

namespace dray {
namespace {

using Choose = std::function<int32_t(NegotiateEnv& env, int index, std::span<const uint8_t> mask)>;

// A policy that looks at one environment at a time.
class OneByOne : public Player {
 public:
  OneByOne(NegotiateEnv& env, Choose choose) : env_(env), choose_(std::move(choose)) {}

  void Begin(int /*first*/, int /*count*/) override {}
  void Act(const Observed& observed, const ActionSlots& actions) override {
    for (size_t i = 0; i < actions.indices.size(); ++i) {
      actions.indices[i] = choose_(env_, static_cast<int>(i),
                                   observed.masks.subspan(i * kShiftActions, kShiftActions));
    }
  }

 private:
  NegotiateEnv& env_;
  Choose choose_;
};

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

// The chance of a step is named by episode and step, so that every policy's is its own.
Rng ChanceOf(const NegotiateEnv& env, int index, uint64_t seed) {
  const EpisodeKey& key = env.day(index).key();
  return Rng(seed ^ (key.env << 32) ^ (key.episode << 16), RngPurpose::kAction,
             static_cast<uint64_t>(env.day(index).step()));
}

// The least added cost with patience; of equals, no shift and then the smallest shift.
int32_t Cheapest(NegotiateEnv& env, int index, std::span<const uint8_t> mask, double weight) {
  std::array<int64_t, kShiftActions> costs;
  env.PriceActions(index, costs);
  const auto price = [&](int32_t action) {
    return static_cast<double>(costs[action]) + kTicksPerMinute * PatiencePenalty(action, weight);
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
  const auto made = [&](Choose choose) {
    return std::make_unique<OneByOne>(env, std::move(choose));
  };
  static constexpr auto kEverything = [] {
    ActionMask mask{};
    mask.fill(1);
    return mask;
  }();
  if (name == "none") return made([](auto&, int, auto) { return kNoShift; });
  if (name == "random") {
    return made([seed](NegotiateEnv& env, int index, auto) {
      Rng rng = ChanceOf(env, index, seed);
      return DrawFrom(kEverything, rng);
    });
  }
  if (name == "random_accepted") {
    return made([seed](NegotiateEnv& env, int index, auto) {
      Rng rng = ChanceOf(env, index, seed);
      return DrawFrom(TrueMask(env, index), rng);
    });
  }
  if (name == "max_shift") {
    return made(
        [](NegotiateEnv& env, int index, auto) { return LargestShift(TrueMask(env, index)); });
  }
  if (name == "myopic_hopeful") {
    return made([weight](NegotiateEnv& env, int index, auto) {
      return Cheapest(env, index, kEverything, weight);
    });
  }
  if (name == "myopic_believed") {
    return made([weight](NegotiateEnv& env, int index, std::span<const uint8_t> mask) {
      return Cheapest(env, index, mask, weight);
    });
  }
  if (name == "myopic_true") {
    return made([weight](NegotiateEnv& env, int index, auto) {
      return Cheapest(env, index, TrueMask(env, index), weight);
    });
  }
  std::string known;
  for (const char* other : kNames) known += Cat(known.empty() ? "" : ", ", other);
  throw UsageError("--baselines: there is no baseline \"", name, "\"; known: all, ", known,
                   ", lookahead, plan, hindsight");
}

}  // namespace dray
