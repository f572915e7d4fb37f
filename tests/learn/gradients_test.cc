#include "src/learn/gradients.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "src/learn/cpu/cpu_gradients.h"
#include "src/learn/device/torch_gradients.h"
#include "tests/learn/loss_cases.h"

namespace dray {
namespace {

class GradientsTest : public testing::TestWithParam<LossCase> {};

// [rows, width + numbers]: what the networks are said to see.
at::Tensor WrittenOut(const Samples& samples, const BagSpec& bag) {
  const at::Tensor table = at::zeros({samples.rows(), bag.width});
  for (int64_t i = 0; i < samples.rows(); ++i) {
    const int64_t b = samples.bags.rows[i].item<int64_t>();
    for (int64_t j = samples.bags.offsets[b].item<int64_t>();
         j < samples.bags.offsets[b + 1].item<int64_t>(); ++j) {
      table[i][samples.bags.indices[j].item<int64_t>()] += 1;
    }
  }
  return at::cat({table, samples.observations}, 1);
}

// The fast gradients against autograd's, on minibatches away from the first policy.
TEST_P(GradientsTest, OnPlainMemoryEqualThoseOfAutograd) {
  at::manual_seed(1);
  const LossCase& c = GetParam();
  NetworkConfig config = NetworkOf(c, {33, 18});
  config.set_initial_log_std(-0.3);
  Rng rng(3, RngPurpose::kTest, 0);
  ActorCritic nets(SpecOf(c), config, rng, at::kCPU);
  nets.parameters().add_(at::randn_like(nets.parameters()) * 0.2);
  TorchGradients torch(nets);
  CpuGradients cpu(nets);
  const Samples samples = RandomSamples(c, 50);
  for (const auto& [start, rows] : {std::pair<int64_t, int64_t>{0, 50}, {7, 19}, {3, 1}}) {
    const Minibatch minibatch{samples, start, rows};
    const LossTerms expected = torch.Policy(minibatch, c.settings);
    const double expected_loss = torch.Value(minibatch, c.settings, 0.5);
    const at::Tensor expected_gradients = nets.gradients().clone();
    // Whatever stood there is overwritten; rows of weights that no bag names are taken to be 0.
    for (const at::Tensor& gradients : {nets.actor_gradients(), nets.critic_gradients()}) {
      gradients.fill_(c.bag.width > 0 ? 0 : 123);
    }
    const LossTerms found = cpu.Policy(minibatch, c.settings);
    const double found_loss = cpu.Value(minibatch, c.settings, 0.5);
    const double scale = expected_gradients.abs().max().item<double>();
    EXPECT_LT((nets.gradients() - expected_gradients).abs().max().item<double>(),
              2e-5 * (1 + scale));
    EXPECT_GT(scale, 1e-3);
    for (int i = 0; i < kMeanTerms; ++i) {
      EXPECT_NEAR(found.of[i], expected.of[i], 1e-5) << kTermMetrics[i];
    }
    EXPECT_NEAR(found.of[kRatioError], expected.of[kRatioError], 1e-4);
    EXPECT_EQ(found.of[kAppraisalLoss] > 0, c.settings.appraisal_coefficient > 0);
    EXPECT_NEAR(found_loss, expected_loss, 1e-5 * (1 + expected_loss));
  }
}

class GradientsOfBagsTest : public GradientsTest {};

TEST_P(GradientsOfBagsTest, EqualThoseOfTheWrittenOutTable) {
  at::manual_seed(1);
  const LossCase& c = GetParam();
  const NetworkConfig config = NetworkOf(c, {});
  Rng rng(3, RngPurpose::kTest, 0);
  ActorCritic nets(SpecOf(c), config, rng, at::kCPU);
  TorchGradients torch(nets);
  CpuGradients cpu(nets);
  const Samples bags = RandomSamples(c, 50);
  Samples tables = bags;
  tables.observations = WrittenOut(bags, c.bag);
  tables.bags = {};
  for (Gradients* gradients : {static_cast<Gradients*>(&torch), static_cast<Gradients*>(&cpu)}) {
    nets.gradients().zero_();
    const double loss = gradients->Policy({tables, 10, 30}, c.settings).of[kPolicyLoss];
    const double value_loss = gradients->Value({tables, 10, 30}, c.settings, 1);
    const at::Tensor expected = nets.gradients().clone();
    nets.gradients().zero_();
    // Rows that only another minibatch named are 0 again.
    gradients->Policy({bags, 0, 20}, c.settings);
    gradients->Value({bags, 0, 20}, c.settings, 1);
    EXPECT_NEAR(gradients->Policy({bags, 10, 30}, c.settings).of[kPolicyLoss], loss, 1e-5);
    EXPECT_NEAR(gradients->Value({bags, 10, 30}, c.settings, 1), value_loss, 1e-5);
    EXPECT_LT((nets.gradients() - expected).abs().max().item<double>(), 2e-5);
  }
}

TEST_P(GradientsTest, AreTheSameBitsHoweverManyThreadsShareTheWork) {
  at::manual_seed(1);
  const LossCase& c = GetParam();
  const NetworkConfig config = NetworkOf(c, {70, 33});
  Rng rng(3, RngPurpose::kTest, 0);
  ActorCritic nets(SpecOf(c), config, rng, at::kCPU);
  const Samples samples = RandomSamples(c, 300);
  at::Tensor expected;
  LossTerms expected_terms;
  double expected_loss = 0;
  std::vector<float> expected_values;
  for (const int threads : {1, 2, 3, 8}) {
    ThreadTeam team(threads);
    CpuGradients gradients(nets, team);
    nets.gradients().zero_();
    for (int time = 0; time < 3; ++time) {
      const LossTerms terms = gradients.Policy({samples, 11, 277}, c.settings);
      const double loss = gradients.Value({samples, 11, 277}, c.settings, 0.5);
      const auto values = gradients.Values(samples.input());
      if (!expected.defined()) {
        expected = nets.gradients().clone();
        expected_terms = terms;
        expected_loss = loss;
        expected_values = values;
      }
      EXPECT_TRUE(at::equal(nets.gradients(), expected)) << threads << " threads";
      EXPECT_TRUE(std::ranges::equal(terms.of, expected_terms.of));
      EXPECT_EQ(loss, expected_loss);
      EXPECT_EQ(values, expected_values);
    }
  }
}

// Without a GPU, tensors on the CPU stand in for it.
TEST_P(GradientsTest, OnAGpuEqualThoseOnTheCpu) {
  const at::Device device = at::globalContext().hasCUDA() ? at::kCUDA : at::kCPU;
  at::manual_seed(1);
  const LossCase& c = GetParam();
  Rng rng(3, RngPurpose::kTest, 0), same_rng(3, RngPurpose::kTest, 0);
  const NetworkConfig config = NetworkOf(c, {33, 18});
  ActorCritic nets(SpecOf(c), config, rng, at::kCPU);
  ActorCritic gpu_nets(SpecOf(c), config, same_rng, device);
  CpuGradients cpu(nets);
  TorchGradients gpu(gpu_nets);
  const Samples samples = RandomSamples(c, 50);
  const Samples gpu_samples = Moved(samples, device);
  EXPECT_NEAR(cpu.Policy({samples, 0, 50}, c.settings).of[kPolicyLoss],
              gpu.Policy({gpu_samples, 0, 50}, c.settings).of[kPolicyLoss], 1e-4);
  EXPECT_NEAR(cpu.Value({samples, 0, 50}, c.settings, 0.5),
              gpu.Value({gpu_samples, 0, 50}, c.settings, 0.5), 1e-4);
  EXPECT_LT((nets.gradients() - gpu_nets.gradients().cpu()).abs().max().item<double>(), 1e-3);
}

std::vector<LossCase> CasesWithBags() {
  std::vector<LossCase> cases = LossCases();
  std::erase_if(cases, [](const LossCase& c) { return c.bag.width == 0; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Every, GradientsTest, testing::ValuesIn(LossCases()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Every, GradientsOfBagsTest, testing::ValuesIn(CasesWithBags()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace dray
