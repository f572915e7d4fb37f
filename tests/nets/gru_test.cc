#include "src/nets/gru.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <vector>

#include "src/nets/actor_critic.h"
#include "src/nets/cpu_gru.h"
#include "src/nets/memory.h"
#include "src/nets/policy.h"

namespace dray {
namespace {

constexpr int kSeen = 5, kMemory = 7, kActions = 3;

EnvSpec Spec() {
  EnvSpec spec;
  spec.name = "toy";
  spec.observation_size = kSeen;
  spec.actions = ActionSpace::Discrete(kActions);
  return spec;
}

NetworkConfig Config() {
  NetworkConfig config;
  config.set_kind(GRU);
  config.set_memory(kMemory);
  config.add_hidden(6);
  return config;
}

GruShape Shape() { return {WithMemory(Spec(), Config()), Config()}; }

std::span<const float> Numbers(const at::Tensor& tensor) {
  const size_t size = tensor.numel();
  return {tensor.const_data_ptr<float>(), size};
}

// Rows of some sequences; some begin an episode, and then remember nothing.
at::Tensor Rows(int64_t rows) {
  at::Tensor numbers = at::randn({rows, kSeen + kMemory + 1});
  const at::Tensor begins = at::rand({rows}).lt(0.2).to(at::kFloat);
  numbers.select(1, kSeen + kMemory).copy_(begins);
  numbers.narrow(1, kSeen, kMemory).mul_(1 - begins.unsqueeze(1));
  return numbers;
}

at::Tensor Parameters(const Gru& net) {
  Rng rng(1, RngPurpose::kInit, 0);
  return net.Init(/*output_gain=*/1, rng) + 0.1 * at::randn({net.parameter_count()});
}

TEST(Gru, OnPlainMemoryGivesTheNumbersOfTheLibraryForAnyNumberOfThreads) {
  const Gru net(Shape());
  const at::Tensor parameters = Parameters(net).set_requires_grad(true);
  constexpr int64_t kSteps = 6, kSequences = 37;
  NetInput input(Rows(kSequences * kSteps));
  input.sequence = kSteps;
  const at::Tensor outputs = net.Forward(input, parameters);
  const at::Tensor by_outputs = at::randn({kSequences * kSteps, kActions});
  outputs.backward(by_outputs);
  const at::Tensor wanted = outputs.detach(), gradient = parameters.grad();

  std::vector<float> first_gradients;
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    CpuGru plain(Shape());
    ASSERT_EQ(std::ssize(Numbers(parameters)), net.parameter_count());
    ASSERT_EQ(plain.parameter_count(), Numbers(parameters).size());
    CpuInput same{.rows = input.rows(), .numbers = Numbers(input.numbers)};
    same.sequence = kSteps;
    const auto got = plain.Forward(Numbers(parameters), same, team);
    ASSERT_EQ(got.size(), Numbers(wanted).size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], Numbers(wanted)[i], 2e-5) << i;
    std::vector<float> gradients(plain.parameter_count(), 9.0f);
    plain.Backward(Numbers(parameters), same, Numbers(by_outputs), gradients, team);
    for (size_t i = 0; i < gradients.size(); ++i) {
      EXPECT_NEAR(gradients[i], Numbers(gradient)[i], 3e-4) << i;
    }
    if (threads == 1) first_gradients = gradients;
    EXPECT_EQ(gradients, first_gradients);
  }
}

TEST(Gru, ASequenceGoesOnFromItsFirstRowsMemoryAndForgetsWhereAnEpisodeBegins) {
  const Gru net(Shape());
  const at::Tensor parameters = Parameters(net);
  constexpr int64_t kSteps = 4;
  const at::Tensor rows = Rows(kSteps);
  rows.select(1, kSeen + kMemory).zero_();
  rows[2][kSeen + kMemory] = 1;
  CpuGru plain(Shape());
  CpuInput whole{.rows = kSteps, .numbers = Numbers(rows)};
  whole.sequence = kSteps;
  const auto outputs = plain.Forward(Numbers(parameters), whole);
  const std::vector<float> at_once(outputs.begin(), outputs.end());
  // The same step by step, with the memory of the step before passed in.
  for (int64_t step = 0; step < kSteps; ++step) {
    const at::Tensor row = rows[step].clone();
    if (step == 2) row.narrow(0, kSeen, kMemory).zero_();
    if (step == 1 || step == 3) {
      for (int k = 0; k < kMemory; ++k) row[kSeen + k] = plain.memory()[k];
    }
    const auto one = plain.Forward(Numbers(parameters), {.rows = 1, .numbers = Numbers(row)});
    for (int action = 0; action < kActions; ++action) {
      EXPECT_FLOAT_EQ(one[action], at_once[step * kActions + action]) << step;
    }
  }
}

TEST(SequenceSteps, IsTheLargestDivisorThatIsNotTooLong) {
  NetworkConfig config = Config();
  EXPECT_EQ(SequenceSteps(config, 128), 32);
  EXPECT_EQ(SequenceSteps(config, 100), 25);
  EXPECT_EQ(SequenceSteps(config, 20), 20);
  EXPECT_EQ(SequenceSteps(config, 37), 1);
  config.set_kind(MLP);
  EXPECT_EQ(SequenceSteps(config, 128), 1);
  EXPECT_EQ(MinibatchRows(256, 25), 250);
  EXPECT_EQ(MinibatchRows(20, 25), 25);
}

TEST(PolicyWithMemory, LoadsWhatItsNetworksPublish) {
  Rng rng(1, RngPurpose::kInit, 0);
  const ActorCritic nets(Spec(), Config(), rng, at::kCPU);
  Policy policy(Spec(), Config());
  policy.Load(nets.Publish(/*version=*/3, {}).ToBytes());
  EXPECT_EQ(policy.version(), 3);
}

TEST(PolicyWithMemory, FollowsEachRowsEpisode) {
  Policy policy(Spec(), Config()), alone(Spec(), Config()), fresh(Spec(), Config());
  PolicyWeights weights = policy.weights();
  const at::Tensor numbers = Parameters(Gru(Shape()));
  weights.actor.assign(Numbers(numbers).begin(), Numbers(numbers).end());
  for (Policy* each : {&policy, &alone, &fresh}) each->Load(weights.ToBytes());
  const at::Tensor seen = at::randn({3, 2, kSeen});
  const auto row = [&](int step, int one) { return Numbers(seen[step][one]); };
  std::vector<float> second;
  for (int step = 0; step < 3; ++step) {
    if (step == 2) policy.BeginEpisode(0);
    const auto both = policy.Follow(Numbers(seen[step]));
    second.assign(both.begin() + kActions, both.end());
    if (step < 2) continue;
    const auto first = fresh.Follow(row(2, 0));
    for (int action = 0; action < kActions; ++action) EXPECT_FLOAT_EQ(both[action], first[action]);
  }
  std::vector<float> last;
  for (int step = 0; step < 3; ++step) {
    const auto outputs = alone.Follow(row(step, 1));
    last.assign(outputs.begin(), outputs.end());
  }
  for (int action = 0; action < kActions; ++action) EXPECT_FLOAT_EQ(second[action], last[action]);
  // Without its past the row would be answered differently.
  Policy forgetful(Spec(), Config());
  forgetful.Load(weights.ToBytes());
  EXPECT_NE(forgetful.Follow(row(2, 1))[0], last[0]);
}

}  // namespace
}  // namespace dray
