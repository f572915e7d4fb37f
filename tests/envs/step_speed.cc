// Steps per second of every environment on one core:
//   bazel run //tests/envs:step_speed

#include <chrono>
#include <cstdio>

#include "src/env/registry.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

constexpr int kCount = 64;
constexpr int kPatterns = 256;
constexpr double kDuration_s = 1;

// Random actions, drawn beforehand: the clock runs for the environments alone. Masked ones are left
// out, since their actions depend on the state.
void Measure(const std::string& name) {
  BatchPlayer player = MakePlayer(name, /*seed=*/1, /*first_index=*/0, kCount);
  const ActionSpace& space = player.env->spec().actions;
  if (player.env->spec().masked) return;
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<int32_t> indices(space.discrete() ? kPatterns * kCount : 0);
  for (int32_t& index : indices) index = static_cast<int32_t>(rng.Below(space.count));
  const size_t width = player.values.size();
  std::vector<float> values(kPatterns * width);
  for (float& value : values) value = static_cast<float>(rng.Uniform(space.low[0], space.high[0]));

  player.Reset();
  const StepSlots slots = player.Slots();
  const auto start = std::chrono::steady_clock::now();
  int64_t steps = 0;
  std::chrono::duration<double> passed{0};
  while (passed.count() < kDuration_s) {
    for (size_t k = 0; k < kPatterns; ++k) {
      const size_t first = k * player.indices.size();
      player.env->Step({.indices = std::span(indices).subspan(first, player.indices.size()),
                        .values = std::span(values).subspan(k * width, width)},
                       slots);
    }
    steps += kPatterns * kCount;
    player.env->TakeEpisodes();
    passed = std::chrono::steady_clock::now() - start;
  }
  std::printf("%-12s %6.2f million steps/s\n", name.c_str(),
              static_cast<double>(steps) / passed.count() / 1e6);
}

}  // namespace
}  // namespace dray

int main() {
  for (const std::string& name : dray::EnvNames()) dray::Measure(name);
  return 0;
}
