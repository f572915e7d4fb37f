// Steps per second of the game on one thread, as one line of JSON; scripts/bench/cage2.py asks for
// it:
//   cage2_speed game|batch|workflow|reduced bline|meander SECONDS SEED
//
// game: the bare game; batch: the task as a rollout steps it (52 bits, 145 actions), both with
// random actions, drawn while the clock runs. workflow and reduced: rollouts with a network that
// acts, 77 inputs and 145 masked actions, or 62 and 36.

#include <charconv>
#include <chrono>
#include <ctime>
#include <iostream>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/game.h"
#include "src/rollout/env_shard.h"
#include "tests/envs/batch_player.h"
#include "tests/envs/cage2/scenario2.h"
#include "tests/rollout/made_up_weights.h"

namespace dray {
namespace {

constexpr int kEnvs = 25;
constexpr int kSteps = 100;  // of an episode
constexpr int kHidden = 64;

struct Task {
  std::string red;
  double seconds = 0;
  uint64_t seed = 0;
};

struct Speed {
  int64_t steps = 0;
  double seconds = 0;
  double cpu_s = 0;    // processor time: what a crowded machine changes less
  double returns = 0;  // of all episodes together
  int inputs = 0;      // of the network, if one acts
};

// Rounds of one episode in each environment for as long as the task says, one at least; another
// before the clock starts. A round answers with the sum of its episodes' returns.
template <typename Round>
Speed Measure(const Task& task, const Round& round) {
  round();
  Speed speed;
  const std::clock_t cpu_start = std::clock();
  const auto start = std::chrono::steady_clock::now();
  do {
    speed.returns += round();
    speed.steps += kEnvs * kSteps;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    speed.seconds = passed.count();
  } while (speed.seconds < task.seconds);
  speed.cpu_s = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return speed;
}

Speed MeasureGame(const Task& task) {
  const cage2::RedAgent red = cage2::RedAgentNamed(task.red);
  std::vector<cage2::Game> games(kEnvs);
  std::vector<Rng> rngs;
  for (uint64_t i = 0; i < kEnvs; ++i) rngs.emplace_back(task.seed, RngPurpose::kEnvironment, i);
  Rng actions(task.seed, RngPurpose::kAction, 0);
  return Measure(task, [&] {
    int64_t tenths = 0;
    for (cage2::Game& game : games) game.Reset(red);
    for (int step = 0; step < kSteps; ++step) {
      for (size_t i = 0; i < kEnvs; ++i) {
        cage2::RngChance chance(rngs[i]);
        const auto action = static_cast<int>(actions.Below(cage2::kBlueActions));
        tenths += games[i].Step(action, chance).reward_tenths;
      }
    }
    return static_cast<double>(tenths) / 10;
  });
}

EnvConfig ConfigFor(const Task& task) {
  EnvConfig config;
  config.set_name("cage2");
  Cage2Config& settings = *config.MutableExtension(Cage2Config::cage2);
  settings.set_red(task.red);
  settings.set_max_steps(kSteps);
  return config;
}

Speed MeasureBatch(const Task& task) {
  const EnvStreams streams{.seed = task.seed, .first_index = 0};
  BatchPlayer player(MakeBatchEnv(ConfigFor(task), streams, kEnvs), streams);
  Rng rng(task.seed, RngPurpose::kAction, 0);
  player.Reset();
  const StepSlots slots = player.Slots();
  return Measure(task, [&] {
    for (int step = 0; step < kSteps; ++step) {
      for (int32_t& action : player.indices) {
        action = static_cast<int32_t>(rng.Below(cage2::kBlueActions));
      }
      player.env->Step({.indices = player.indices, .values = {}}, slots);
    }
    double returns = 0;
    for (const Episode& episode : player.env->TakeEpisodes()) returns += episode.total_reward;
    return returns;
  });
}

Speed MeasureRollout(const Task& task, bool reduced) {
  Config config;
  *config.mutable_env() = ConfigFor(task);
  Cage2Config& settings = *config.mutable_env()->MutableExtension(Cage2Config::cage2);
  settings.set_interface(reduced ? Cage2Config::REDUCED : Cage2Config::RAW);
  settings.set_mask_useless(!reduced);
  settings.mutable_workflow()->set_enabled(!reduced);
  for (int layer = 0; layer < 2; ++layer) config.mutable_network()->add_hidden(kHidden);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = kEnvs}, kSteps);
  const std::string weights = MadeUpWeights(config, task.seed).ToBytes();
  Speed speed = Measure(task, [&] {
    double returns = 0;
    const Rollout rollout = shard.Collect(weights);
    for (const Episode& episode : rollout.summary.episodes) returns += episode.total_reward;
    return returns;
  });
  speed.inputs = SpecOf(config.env()).observation_size;
  return speed;
}

Speed MeasureNamed(std::string_view what, const Task& task) {
  if (what == "game") return MeasureGame(task);
  if (what == "batch") return MeasureBatch(task);
  if (what == "workflow") return MeasureRollout(task, /*reduced=*/false);
  if (what == "reduced") return MeasureRollout(task, /*reduced=*/true);
  throw UsageError("cage2_speed: ", what, ": want game, batch, workflow or reduced");
}

template <typename T>
T NumberIn(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw UsageError("cage2_speed: ", text, ": not a number");
  }
  return number;
}

void Run(const std::vector<std::string_view>& words) {
  if (words.size() != 4) {
    throw UsageError("usage: cage2_speed game|batch|workflow|reduced bline|meander SECONDS SEED");
  }
  const Task task{.red = std::string(words[1]),
                  .seconds = NumberIn<double>(words[2]),
                  .seed = NumberIn<uint64_t>(words[3])};
  const Speed speed = MeasureNamed(words[0], task);
  const auto episodes = static_cast<double>(speed.steps / kSteps);
  std::cout << "{\"steps\": " << speed.steps << ", \"seconds\": " << speed.seconds
            << ", \"cpu_s\": " << speed.cpu_s << ", \"mean_return\": " << speed.returns / episodes
            << ", \"envs\": " << kEnvs << ", \"inputs\": " << speed.inputs << "}\n";
}

}  // namespace
}  // namespace dray

int main(int count, char** arguments) {
  try {
    dray::Run({arguments + 1, arguments + count});
  } catch (const dray::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}
