// Work of a fixed size for instructions_test.py to count: fixed_work NAME. Without LibTorch, whose
// debug information Valgrind cannot read on every processor: what rollouts and updates spend their
// time in has none of it.

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/base/rng.h"
#include "src/env/step_check.h"
#include "src/env/task.h"
#include "src/envs/dvrptw/planning/lookahead.h"
#include "src/nets/adam.h"
#include "src/nets/make_cpu_net.h"
#include "src/nets/policy.h"
#include "src/nets/sampling.h"
#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/ruin_recreate.h"
#include "tests/envs/dvrptw/planning/a_day.h"
#include "tests/oracle/neural/problem_batch.h"

namespace dray {

namespace tasks {
Task cage2();
Task cartpole();
}  // namespace tasks

// What is counted: this function and all it calls.
__attribute__((noinline)) void Counted(const std::function<void()>& work) {
  work();
  asm volatile("");  // so that the call above is not this function's last act, and stays a call
}

namespace {

NetworkConfig Network(std::vector<int> hidden, Activation activation) {
  NetworkConfig network;
  for (const int width : hidden) network.add_hidden(width);
  network.set_activation(activation);
  return network;
}

std::vector<float> SmallNumbers(size_t count) {
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(0.1 * rng.Normal());
  return numbers;
}

// A policy steps a batch of environments, and what they wrote is checked, as a shard does.
void CountSteps(const Task& task, const EnvConfig& config, int envs, int steps) {
  const auto batch = task.make_envs(config, {.seed = 1, .purpose = RngPurpose::kTest}, envs);
  const EnvSpec& spec = batch->spec();
  const auto n = static_cast<size_t>(envs), width = static_cast<size_t>(spec.observation_size);
  const auto actions = static_cast<size_t>(spec.actions.outputs());
  const NetworkConfig network = Network({64, 64}, TANH);
  Policy policy(spec, network);
  PolicyWeights weights;
  weights.actor = SmallNumbers(static_cast<size_t>(ParameterCount(spec, network, NetRole::kActor)));
  policy.Load(weights.ToBytes());
  std::vector<float> observations(n * width), finals(n * width), rewards(n);
  std::vector<uint8_t> masks(spec.masked ? n * actions : 0), terminated(n), truncated(n);
  std::vector<int32_t> chosen(n);
  batch->OnRollout({});
  batch->Reset(observations, masks, {});
  Rng rng(2, RngPurpose::kTest, 0);
  Counted([&] {
    for (int step = 0; step < steps; ++step) {
      const auto logits = policy.Outputs(observations);
      for (size_t i = 0; i < n; ++i) {
        const auto mask =
            spec.masked ? std::span(masks).subspan(i * actions, actions) : std::span<uint8_t>();
        chosen[i] = DrawCategorical(logits.subspan(i * actions, actions), mask, rng).action;
      }
      const StepSlots slots{observations, masks, rewards, terminated, truncated, finals};
      batch->Step({.indices = chosen, .values = {}}, slots);
      CheckStep(spec, slots, /*first_env=*/0, step);
    }
  });
}

// A critic goes through a minibatch, forwards and backwards, and Adam takes a step.
void CountMinibatch(const EnvSpec& spec, const NetworkConfig& network, const CpuInput& input) {
  const auto net = MakeCpuNet(spec, network, NetRole::kCritic);
  std::vector<float> parameters = SmallNumbers(net->parameter_count());
  std::vector<float> gradients(parameters.size());
  Adam adam(parameters.size());
  Counted([&] {
    const auto values = net->Forward(parameters, input);
    const std::vector<float> by_values(values.begin(), values.end());
    net->Backward(parameters, input, by_values, gradients);
    adam.Step(1e-3, gradients, parameters);
  });
}

void CountDenseMinibatch() {
  EnvSpec spec;
  spec.observation_size = 62;
  const std::vector<float> numbers = SmallNumbers(500 * 62);
  CountMinibatch(spec, Network({64, 64}, TANH), {.rows = 500, .numbers = numbers});
}

void CountBagMinibatch() {
  constexpr int kRows = 64, kNamed = 90;
  EnvSpec spec;
  spec.bag = {.width = 1212, .own = 6, .joining = 6};
  Rng rng(3, RngPurpose::kTest, 0);
  std::vector<int32_t> offsets = {0}, indices;
  std::vector<int64_t> rows;
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kNamed; ++i) indices.push_back(static_cast<int32_t>(rng.Below(1212)));
    offsets.push_back(static_cast<int32_t>(indices.size()));
    rows.push_back(row);
  }
  CountMinibatch(spec, Network({256, 256, 128}, RELU),
                 {.rows = kRows,
                  .numbers = {},
                  .bags = {.width = 1212, .offsets = offsets, .indices = indices, .rows = rows}});
}

void CountAttentionMinibatch() {
  constexpr int kRows = 64;
  EnvSpec spec;
  spec.tokens = {.count = 30, .size = 12};
  spec.observation_size = 30 * 12 + 40;
  NetworkConfig network = Network({128}, RELU);
  network.set_kind(ATTENTION);
  const std::vector<float> numbers =
      SmallNumbers(static_cast<size_t>(kRows * spec.observation_size));
  CountMinibatch(spec, network, {.rows = kRows, .numbers = numbers});
}

void CountOracle(Oracle& oracle) {
  const ProblemBatch batch(/*count=*/8, /*most_requests=*/30, /*seed=*/5, /*all_of_most=*/true);
  oracle.Solve(batch.pointers);
  Counted([&] { oracle.Solve(batch.pointers); });
}

void CountNeuralOracle() {
  NeuralOracle oracle(std::make_unique<CpuSequencePicker>(ShippedSequenceWeights(), 1),
                      /*starts=*/1);
  CountOracle(oracle);
}

void CountRuinRecreate() {
  RuinRecreateOracle oracle({.rounds = 30});
  CountOracle(oracle);
}

void CountLookahead() {
  const dvrptw::ADay a(15);
  dvrptw::Lookahead lookahead(
      *a.world, {.limits = {.futures = 4, .decision_ms = 0},
                 .foresight = {.patience_weight = 0.05, .unserved_penalty = 100, .rounds = 5}});
  Counted([&] { lookahead.Decide(a.day, dvrptw::kAllActions, a.TrueTypes(), {}); });
}

const std::map<std::string, std::function<void()>> kWorks = {
    {"attention_minibatch", CountAttentionMinibatch},
    {"bag_minibatch", CountBagMinibatch},
    {"cage2_steps", [] { CountSteps(tasks::cage2(), {}, 4, 100); }},
    {"cartpole_steps", [] { CountSteps(tasks::cartpole(), {}, 4, 128); }},
    {"dense_minibatch", CountDenseMinibatch},
    {"lookahead", CountLookahead},
    {"neural_oracle", CountNeuralOracle},
    {"ruin_recreate", CountRuinRecreate},
};

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  if (argc == 2 && dray::kWorks.contains(argv[1])) {
    dray::kWorks.at(argv[1])();
    return 0;
  }
  for (const auto& [name, work] : dray::kWorks) std::printf("%s\n", name.c_str());
  return argc == 1 ? 0 : 2;
}
