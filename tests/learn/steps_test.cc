#include "src/learn/steps.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn_like.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/learn/cpu/host_steps.h"
#include "src/learn/device/device_steps.h"
#include "src/learn/device/torch_gradients.h"
#include "tests/learn/loss_cases.h"
#include "tests/nets/full_gpu.h"

namespace dray {
namespace {

constexpr int64_t kRows = 50, kMinibatch = 16;

using Hidden = std::initializer_list<int>;
constexpr Hidden kSmall = {33, 18}, kLarge = {200, 200};

// Networks with optimisers, as the learner has them: one for both, or one each.
struct Nets {
  Nets(const LossCase& c, const at::Device& device, Hidden hidden = kSmall)
      : rng(3, RngPurpose::kTest, 0), nets(SpecOf(c), NetworkOf(c, hidden), rng, device) {
    PpoConfig config;
    config.set_max_grad_norm(0.5);
    const int64_t all = nets.parameters().numel(), actor = nets.actor_parameter_count();
    const auto of = [&](int64_t start, int64_t length) {
      return Optimizer(nets.parameters().narrow(0, start, length),
                       nets.gradients().narrow(0, start, length), config);
    };
    optimizers.push_back(of(0, all));
    optimizers.push_back(of(0, actor));
    optimizers.push_back(of(actor, all - actor));
  }

  Rng rng;
  ActorCritic nets;
  std::vector<Optimizer> optimizers;  // by Part
};

struct Trained {
  StepSums sums;
  at::Tensor parameters;
  std::vector<double> signals;  // NaN where nothing was added
};

// Three updates of two passes for every part; the last minibatch of a pass is smaller.
Trained Train(Nets& nets, Steps& steps, const LossCase& c, const at::Device& device,
              int64_t rows = kRows, int64_t minibatch = kMinibatch) {
  at::set_num_threads(1);  // as in the learner
  at::manual_seed(2);
  Trained trained;
  std::vector<int64_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  Rng rng(5, RngPurpose::kTest, 0);
  for (int update = 0; update < 3; ++update) {
    const Samples samples = Moved(RandomSamples(c, rows), device);
    steps.BeginUpdate(samples);
    StepSettings settings{.loss = c.settings, .value_scale = 0.5, .learning_rate = 1e-3};
    if (update == 2) settings.learning_rate = 1e-4;
    if (update == 2) settings.loss.clip *= 0.5;
    for (const Part part : {Part::kPolicyAndValue, Part::kPolicy, Part::kValue}) {
      for (int pass = 0; pass < 2; ++pass) {
        rng.Shuffle(std::span(order));
        steps.BeginPass(order, minibatch);
        for (int64_t start = 0; start < rows; start += minibatch) {
          settings.adds_to_signal = part != Part::kValue && start + minibatch <= rows;
          steps.Step(part, std::min(minibatch, rows - start), settings,
                     nets.optimizers[static_cast<size_t>(part)]);
        }
        trained.sums += steps.TakeSums();
      }
      trained.signals.push_back(steps.TakeSignal());
    }
  }
  trained.parameters = nets.nets.parameters().cpu();
  return trained;
}

void ExpectSame(const Trained& found, const Trained& expected, double tolerance) {
  const at::Tensor difference = (found.parameters - expected.parameters).abs();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // Other kernels, other roundings (src/nets/lanes.h): 17 of 103,425 weights were over 1e-4.
  EXPECT_LT(std::sqrt(difference.square().mean().item<double>()), 1e-5);
  EXPECT_LT(difference.max().item<double>(), 1e-3);
#else
  EXPECT_LT(difference.max().item<double>(), tolerance);
#endif
  const double relative = 10 * tolerance;
  const auto near = [&](double a, double b) { EXPECT_NEAR(a, b, relative * (1 + std::abs(b))); };
  for (int i = 0; i < kLossTerms; ++i) near(found.sums.policy.of[i], expected.sums.policy.of[i]);
  near(found.sums.value_loss, expected.sums.value_loss);
  near(found.sums.grad_norm, expected.sums.grad_norm);
  ASSERT_EQ(found.signals.size(), expected.signals.size());
  for (size_t i = 0; i < found.signals.size(); ++i) {
    EXPECT_EQ(std::isnan(found.signals[i]), std::isnan(expected.signals[i]));
    if (!std::isnan(expected.signals[i])) near(found.signals[i], expected.signals[i]);
  }
}

Trained OnTheHost(const LossCase& c, Hidden hidden = kSmall, int64_t rows = kRows,
                  int64_t minibatch = kMinibatch) {
  Nets nets(c, at::kCPU, hidden);
  HostSteps steps(nets.nets, std::make_unique<TorchGradients>(nets.nets), ThreadTeam::Alone(),
                  /*tunes=*/false);
  return Train(nets, steps, c, at::kCPU, rows, minibatch);
}

class StepsTest : public testing::TestWithParam<LossCase> {};

TEST_P(StepsTest, HandedToADeviceComeToTheSame) {
  Nets nets(GetParam(), at::kCPU);
  DeviceSteps steps(nets.nets);
  ExpectSame(Train(nets, steps, GetParam(), at::kCPU), OnTheHost(GetParam()), 1e-5);
}

TEST_P(StepsTest, OnAGpuComeToTheSame) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "this machine has no CUDA device";
  // By kernels of Dray's own, and by the library's.
  for (const Hidden hidden : {kSmall, kLarge}) {
    Nets nets(GetParam(), at::kCUDA, hidden);
    DeviceSteps steps(nets.nets);
    ExpectSame(Train(nets, steps, GetParam(), at::kCUDA), OnTheHost(GetParam(), hidden), 3e-4);
  }
}

TEST_P(StepsTest, OfManyRowsOnAGpuComeToTheSame) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "this machine has no CUDA device";
  Nets nets(GetParam(), at::kCUDA);
  DeviceSteps steps(nets.nets);
  ExpectSame(Train(nets, steps, GetParam(), at::kCUDA, 3000, 2500),
             OnTheHost(GetParam(), kSmall, 3000, 2500), 3e-4);
}

// More rows than the shared memory of all blocks holds at a time.
TEST(Steps, OfAnyNumberOfRowsOnAGpuComeToTheSame) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "this machine has no CUDA device";
  constexpr int64_t kMany = 200'000;
  int cases = 0;
  for (const LossCase& c : LossCases()) {
    if (c.name != "Discrete" && c.name != "Continuous") continue;
    ++cases;
    Nets nets(c, at::kCUDA);
    DeviceSteps steps(nets.nets);
    ExpectSame(Train(nets, steps, c, at::kCUDA, kMany, 131'072),
               OnTheHost(c, kSmall, kMany, 131'072), 3e-4);
  }
  EXPECT_EQ(cases, 2);
}

TEST(Steps, MinibatchesThatDoNotFitOnAGpuComeToTheSameInParts) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "this machine has no CUDA device";
  constexpr int64_t kMany = 80'000, kFew = 65'536;
  const LossCase& c = LossCases()[0];
  Nets nets(c, at::kCUDA, kLarge);
  DeviceSteps steps(nets.nets);
  const FullGpu full(350);
  ExpectSame(Train(nets, steps, c, at::kCUDA, kMany, kFew), OnTheHost(c, kLarge, kMany, kFew),
             3e-4);
  EXPECT_GT(steps.splits(), 0);
}

INSTANTIATE_TEST_SUITE_P(Every, StepsTest, testing::ValuesIn(LossCases()),
                         [](const auto& info) { return info.param.name; });

TEST(Steps, AGradientThatIsNotFiniteIsAnError) {
  const LossCase& c = LossCases()[0];
  std::vector<int64_t> order(kRows);
  std::iota(order.begin(), order.end(), 0);
  for (const at::Device device : {at::Device(at::kCPU), at::Device(at::kCUDA)}) {
    if (device.is_cuda() && !at::globalContext().hasCUDA()) continue;
    Nets nets(c, device);
    DeviceSteps steps(nets.nets);
    Samples samples = Moved(RandomSamples(c, kRows), device);
    samples.advantages[7] = NAN;
    const at::Tensor before = nets.nets.parameters().clone();
    steps.BeginUpdate(samples);
    steps.BeginPass(order, kRows);
    EXPECT_THROW(
        {
          steps.Step(Part::kPolicyAndValue, kRows, {.loss = c.settings, .learning_rate = 1e-3},
                     nets.optimizers[0]);
          steps.TakeSums();
        },
        Error);
    EXPECT_TRUE(at::equal(nets.nets.parameters(), before));
  }
}

}  // namespace
}  // namespace dray
