// Samples per second of Learner::Update on the delivery task's shapes, and what share of the time
// the multiply-adds alone would take at the rate of AddProduct:
//   bazel run //tests/learn:update_speed [-- THREADS [counts|tokens]]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "src/envs/dvrptw/encodings.h"
#include "src/envs/dvrptw/episode.h"
#include "src/learn/learner.h"
#include "src/nets/attention_shape.h"
#include "src/nets/kernels.h"
#include "src/nets/net_shape.h"

namespace dray {
namespace {

using dvrptw::Arrival;
using dvrptw::City;
using dvrptw::CountsLayout;
using dvrptw::DrawEpisode;
using dvrptw::GenerateCity;
using dvrptw::GenerateRiders;
using dvrptw::Rider;

constexpr int kSteps = 30;
constexpr int kPlaces = 207;
constexpr int kUpdates = 3;

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Multiply-adds per second of AddProduct on matrices of a minibatch, the best of some runs.
double AddProductRate() {
  constexpr int64_t kRows = 64, kWidth = 256;
  std::vector<float> a(kRows * kWidth, 0.5f), b(kWidth * kWidth, 0.5f), c(kRows * kWidth);
  double best_s = INFINITY;
  for (int run = 0; run < 200; ++run) {
    const auto start = std::chrono::steady_clock::now();
    AddProduct(kRows, kWidth, kWidth, {a.data(), kWidth, 1}, b.data(), c.data());
    best_s = std::min(best_s, SecondsSince(start));
  }
  return kRows * kWidth * kWidth / best_s;
}

EnvSpec CountsSpec() {
  EnvSpec spec;
  spec.name = "counts";
  spec.bag = {.width = CountsLayout(kPlaces).size(), .own = 6, .joining = 6};
  spec.actions = ActionSpace::Discrete(16);
  spec.masked = true;
  spec.max_episode_steps = kSteps;
  spec.fixed_length = true;
  return spec;
}

EnvSpec TokensSpec() {
  EnvSpec spec = CountsSpec();
  spec.name = "tokens";
  spec.bag = {};
  spec.observation_size = dvrptw::TokensSize(kSteps);
  spec.tokens = {.count = kSteps, .size = dvrptw::kTokenSize};
  return spec;
}

// As many tokens as requests were asked.
void WriteTokens(const EnvSpec& spec, int envs, std::span<float> observations) {
  for (size_t row = 0; row < observations.size() / static_cast<size_t>(spec.observation_size);
       ++row) {
    const size_t there = std::min<size_t>(row / static_cast<size_t>(envs) + 1, kSteps);
    float* token = observations.data() + row * static_cast<size_t>(spec.observation_size);
    for (size_t i = 0; i < kSteps; ++i, token += dvrptw::kTokenSize) {
      token[0] = 1;
      if (i >= there) std::fill_n(token, dvrptw::kTokenSize, 0.0f);
    }
  }
}

// One episode per environment, its requests those of the generator, agreed to as they were asked.
void WriteBags(int envs, std::span<int16_t> bags) {
  const City city = GenerateCity(/*seed=*/1, kPlaces, /*asymmetric=*/false);
  const auto riders = GenerateRiders(city, kSteps, delivery::UNIFORM, /*seed=*/1);
  const CountsLayout layout(kPlaces);
  std::ranges::fill(bags, int16_t{-1});
  for (int env = 0; env < envs; ++env) {
    const auto arrivals =
        DrawEpisode({.seed = 1, .env = static_cast<uint64_t>(env)}, riders, /*noise=*/0);
    for (int k = 0; k < kSteps; ++k) {
      const Arrival& arrival = arrivals[static_cast<size_t>(k)];
      const Rider& rider = riders[static_cast<size_t>(arrival.rider)];
      const dvrptw::CountIndices rows =
          layout.Indices(rider.pool[static_cast<size_t>(arrival.trip)]);
      int16_t* now = bags.data() + (k * envs + env) * 12;
      int16_t* next = now + envs * 12;
      for (size_t i = 0; i < 6; ++i) {
        now[i] = static_cast<int16_t>(2 * rows[i] + 1);
        next[6 + i] = static_cast<int16_t>(2 * rows[i]);
      }
    }
  }
}

// A rollout of whole episodes with random actions and rewards.
SharedBlob MakeRollout(const EnvSpec& spec, int envs) {
  BatchWriter batch(BatchShape::Of(spec, kSteps, envs));
  auto& columns = batch.columns();
  Rng rng(1, RngPurpose::kTest, 0);
  for (float& number : columns.observations) number = static_cast<float>(rng.Normal());
  if (spec.bag.width > 0) WriteBags(envs, columns.bags);
  if (spec.tokens.count > 0) WriteTokens(spec, envs, columns.observations);
  std::ranges::fill(columns.masks, uint8_t{1});
  const auto samples = static_cast<size_t>(batch.shape().samples());
  for (size_t i = 0; i < samples; ++i) {
    columns.action_indices[i] = static_cast<int32_t>(rng.Below(16));
    columns.log_probs[i] = static_cast<float>(-std::log(16.0));
    columns.rewards[i] = static_cast<float>(rng.Normal());
    columns.discounted_returns[i] = 0;
    columns.terminated[i] = i + static_cast<size_t>(envs) >= samples;
    columns.truncated[i] = 0;
  }
  return batch.Finish({});
}

// The preset dvrptw_64.
Config CountsConfig() {
  Config config;
  for (const int width : {256, 256, 128}) config.mutable_network()->add_hidden(width);
  config.mutable_network()->set_activation(RELU);
  PpoConfig& ppo = *config.mutable_ppo();
  ppo.set_policy_epochs(10);
  ppo.set_value_epochs(40);
  ppo.set_minibatch_size(64);
  ppo.set_learning_rate(3e-4);
  ppo.set_clip(0.1);
  ppo.set_entropy_coefficient(0.05);
  return config;
}

Config TokensConfig() {
  Config config = CountsConfig();
  config.mutable_network()->clear_hidden();
  for (const int width : {128, 128}) config.mutable_network()->add_hidden(width);
  config.mutable_network()->set_kind(ATTENTION);
  PpoConfig& ppo = *config.mutable_ppo();
  ppo.set_policy_epochs(4);
  ppo.set_value_epochs(4);
  ppo.set_minibatch_size(512);
  return config;
}

// Linear layers and attention among the tokens that are there, forward and backward.
double AttentionMultiplyAdds(const EnvSpec& spec, const NetworkConfig& network, NetRole role) {
  const AttentionShape shape(spec, network, role);
  const double tokens = (kSteps + 1) / 2.0, squares = (kSteps + 1) * (2.0 * kSteps + 1) / 6;
  double sum = 0;
  for (const LinearPart& part : shape.Parts()) {
    const bool per_token = part.name == "embed" || part.name.starts_with("rounds.");
    sum += 3 * static_cast<double>(part.in * part.out) * (per_token ? tokens : 1);
  }
  const auto rounds = static_cast<double>(shape.rounds.size());
  return sum + 3 * static_cast<double>(shape.width) * 2 *
                   (rounds * squares + tokens * static_cast<double>(shape.heads));
}

// Forward, and backward by weights and by inputs (not by those of the first layer). Of a bag, each
// index is one addition per output forward and one backward.
double MultiplyAdds(const EnvSpec& spec, const NetworkConfig& network, NetRole role) {
  if (network.kind() == ATTENTION) return AttentionMultiplyAdds(spec, network, role);
  const auto sizes = LayerSizes(spec, network, OutputsOf(spec, role));
  const double indices = spec.bag.own + spec.bag.joining * (kSteps - 1) / 2.0;
  double sum = 2 * (indices + spec.observation_size) * static_cast<double>(sizes[1]);
  for (size_t i = 1; i + 1 < sizes.size(); ++i) {
    sum += 3 * static_cast<double>(sizes[i] * sizes[i + 1]);
  }
  return sum;
}

void Measure(const EnvSpec& spec, Config config, int envs, int threads) {
  config.mutable_scale()->set_learner_threads(threads);
  Learner learner(config, spec, at::kCPU);
  const SharedBlob rollout = MakeRollout(spec, envs);
  learner.Update({rollout->view()}, 1);
  double best_s = INFINITY, best_cpu_s = INFINITY;
  for (int i = 0; i < kUpdates; ++i) {
    const std::clock_t start = std::clock();
    const UpdateReport report = learner.Update({rollout->view()}, 1);
    best_s = std::min(best_s, report.merge_s + report.learn_s);
    best_cpu_s = std::min(best_cpu_s, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  const double samples = kSteps * envs;
  const double rate = AddProductRate();
  const double needed =
      config.ppo().policy_epochs() * MultiplyAdds(spec, config.network(), NetRole::kActor) +
      config.ppo().value_epochs() * MultiplyAdds(spec, config.network(), NetRole::kCritic);
  std::printf(
      "%-4s %d threads: %7.0f samples/s, %7.0f per second of processor time; %.1f million "
      "multiply-adds per sample at %.1f billion/s are %.0f %% of that time\n",
      spec.name.c_str(), threads, samples / best_s, samples / best_cpu_s, needed / 1e6, rate / 1e9,
      100 * needed / rate * samples / best_cpu_s);
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  const std::string only = argc > 2 ? argv[2] : "";
  if (only != "tokens")
    dray::Measure(dray::CountsSpec(), dray::CountsConfig(), /*envs=*/64, threads);
  if (only != "counts")
    dray::Measure(dray::TokensSpec(), dray::TokensConfig(), /*envs=*/256, threads);
  return 0;
}
