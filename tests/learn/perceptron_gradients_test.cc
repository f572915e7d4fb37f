// The kernels of PerceptronGradients, run on the CPU: the threads of a block take turns there.

#include "src/learn/device/perceptron_gradients.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "src/learn/device/torch_gradients.h"
#include "tests/learn/loss_cases.h"

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(threads)

namespace dray {

struct alignas(16) float4 {
  float x, y, z, w;
};
struct Index {
  unsigned x;
};

constexpr int kThreads = 256, kLanes = 32;

Index threadIdx, blockIdx, blockDim{kThreads}, gridDim;
float4 memory[16384];  // shared by the threads of the block at work

// The threads of a block, which take turns.
class Block {
 public:
  static void Run(const std::function<void()>& body) {
    Block block(body);
    for (bool running = true; running;) {
      running = false;
      for (unsigned i = 0; i < kThreads; ++i) {
        Thread& thread = block.threads_[i];
        if (thread.done) continue;
        running = true;
        threadIdx.x = i;
        swapcontext(&block.caller_, &thread.context);
      }
    }
  }

  // Lets the others run until `count` threads, the caller among them, have met here.
  struct Meeting {
    int count;
    int met = 0;
    int number = 0;
  };
  static void Meet(Meeting& meeting) {
    if (++meeting.met == meeting.count) {
      meeting.met = 0;
      ++meeting.number;
      return;
    }
    for (const int number = meeting.number; meeting.number == number;) {
      swapcontext(&current_->threads_[threadIdx.x].context, &current_->caller_);
    }
  }

 private:
  struct Thread {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(64 * 1024);
    bool done = false;
  };

  explicit Block(const std::function<void()>& body) : body_(body), threads_(kThreads) {
    current_ = this;
    for (Thread& thread : threads_) Prepare(thread);
  }

  [[gnu::noinline]] void Prepare(Thread& thread) {
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = thread.stack.size();
    thread.context.uc_link = &caller_;
    makecontext(&thread.context, Begin, 0);
  }

  static void Begin() {
    current_->body_();
    current_->threads_[threadIdx.x].done = true;
  }

  static inline Block* current_ = nullptr;
  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  ucontext_t caller_;
};

struct Warp {
  Block::Meeting meeting{kLanes};
  std::array<double, kLanes> values;
};
std::array<Warp, kThreads / kLanes> warps;
Block::Meeting all_threads{kThreads};

inline void __syncthreads() { Block::Meet(all_threads); }

template <typename Number>
Number __shfl_xor_sync(unsigned, Number value, int offset) {
  Warp& warp = warps[threadIdx.x / kLanes];
  const unsigned lane = threadIdx.x % kLanes;
  warp.values[lane] = value;
  Block::Meet(warp.meeting);
  const Number other = warp.values[lane ^ offset];
  Block::Meet(warp.meeting);
  return other;
}

using std::max;
using std::min;

}  // namespace dray

#include "src/learn/device/perceptron_kernels.h"

namespace dray {
namespace {

class ProgramOnTheCpu : public CudaProgram {
 public:
  int64_t most_shared_bytes() const override { return sizeof(memory); }

  int kernels = 0;

 protected:
  void LaunchWith(const std::string& kernel, const Shape& shape, void** arguments) override {
    ASSERT_EQ(shape.threads, kThreads);
    ASSERT_LE(shape.shared_bytes, most_shared_bytes());
    gridDim.x = shape.blocks;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
      Block::Run([&] { Run(kernel, arguments); });
    }
    ++kernels;
  }

 private:
  static void Run(const std::string& kernel, void** arguments) {
    const auto& step = *static_cast<PerceptronStep*>(arguments[0]);
    if (kernel == "SumPerceptrons") {
      SumPerceptrons(step, *static_cast<GradientSums*>(arguments[1]));
    } else {
      DifferentiatePerceptrons(step, *static_cast<int*>(arguments[1]));
    }
  }
};

class PerceptronGradientsTest : public testing::TestWithParam<LossCase> {};

TEST_P(PerceptronGradientsTest, AreThoseOfTheLibrary) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers do not know these threads";
#endif
  const LossCase& c = GetParam();
  at::set_num_threads(1);
  at::manual_seed(4);
  constexpr int64_t kRows = 23, kMinibatch = 19;  // of which the last tile is not full
  Rng rng(3, RngPurpose::kTest, 0);
  ActorCritic nets(SpecOf(c), NetworkOf(c, {33, 64}), rng, at::kCPU);
  const Samples samples = RandomSamples(c, kRows);
  const StepSettings settings{.loss = c.settings, .value_scale = 0.5, .adds_to_signal = true};

  TorchGradients reference(nets);
  nets.gradients().zero_();
  const at::Tensor order = at::arange(kRows - 1, -1, -1);
  const Samples minibatch = samples.Rows(order.narrow(0, 0, kMinibatch));
  const LossTerms expected = reference.Policy({minibatch, 0, kMinibatch}, settings.loss);
  const double expected_value =
      reference.Value({minibatch, 0, kMinibatch}, settings.loss, settings.value_scale);
  const at::Tensor gradients = nets.gradients().clone();
  nets.gradients().zero_();

  ProgramOnTheCpu program;
  const auto perceptrons = PerceptronGradients::Make(nets, program);
  ASSERT_NE(perceptrons, nullptr);
  StepBuffers buffers;
  buffers.samples = samples;
  buffers.order = order;
  buffers.minibatch = kMinibatch;
  buffers.moments = at::zeros({2, 2}, at::kDouble);
  const at::Tensor advantages = minibatch.advantages.to(at::kDouble);
  buffers.moments[0][0] = advantages.mean();
  buffers.moments[0][1] = 1 / (advantages.std() + 1e-8);
  buffers.next = at::zeros({1}, at::kLong);
  buffers.sums = at::zeros({kStepSums}, at::kDouble);
  buffers.ratio_error = at::zeros({});
  const at::Tensor actor_gradients = gradients.narrow(0, 0, nets.actor_parameter_count());
  GradientSignal signal(actor_gradients);
  const at::Tensor step = at::zeros({});
  perceptrons->Launch(Part::kPolicyAndValue, kMinibatch, settings, buffers, &signal, step);

  EXPECT_EQ(program.kernels, 2);
  const double scale = gradients.abs().max().item<double>();
  EXPECT_LT((nets.gradients() - gradients).abs().max().item<double>(), 1e-5 * scale);
  EXPECT_LT((signal.sum() - actor_gradients).abs().max().item<double>(), 1e-5 * scale);
  EXPECT_EQ(step.item<float>(), 1);
  for (int term = 0; term < kMeanTerms; ++term) {
    EXPECT_NEAR(buffers.sums[term].item<double>(), expected.of[term],
                1e-5 * (1 + std::abs(expected.of[term])));
  }
  EXPECT_NEAR(buffers.ratio_error.item<double>(), expected.of[kRatioError],
              1e-4 * expected.of[kRatioError]);
  EXPECT_NEAR(buffers.sums[kValueLossSum].item<double>(), expected_value, 1e-5 * expected_value);
  const auto squares = [](const at::Tensor& all) {
    return all.to(at::kDouble).square().sum().item<double>();
  };
  EXPECT_NEAR(perceptrons->squares().sum().item<double>(), squares(gradients),
              1e-4 * squares(gradients));
  EXPECT_NEAR(perceptrons->actor_squares().sum().item<double>(), squares(actor_gradients),
              1e-4 * squares(gradients));
}

std::vector<LossCase> DenseCases() {
  std::vector<LossCase> cases;
  for (const LossCase& c : LossCases()) {
    if (c.bag.width == 0 && c.tokens.count == 0) cases.push_back(c);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Every, PerceptronGradientsTest, testing::ValuesIn(DenseCases()),
                         [](const auto& info) { return info.param.name; });

TEST(PerceptronGradients, FitTheSharedMemoryOfABlock) {
  const std::vector<int64_t> actor = {4, 64, 64, 2}, critic = {4, 64, 64, 1};
  for (const int64_t kilobytes : {48, 64, 99, 163, 227}) {
    for (const int64_t rows : {1, 128, 500, 8192, 1'000'000}) {
      const Tiling tiling = TilingFor(actor, critic, rows, kilobytes * 1024);
      EXPECT_GE(tiling.tile, 4);
      EXPECT_LE(tiling.shared_bytes, kilobytes * 1024);
      EXPECT_GE(tiling.blocks, 1);
      EXPECT_LE(tiling.blocks, (rows + tiling.tile - 1) / tiling.tile);
    }
  }
  EXPECT_EQ(TilingFor(actor, critic, 8192, 227 * 1024).tile, 64);
  EXPECT_EQ(TilingFor({8, 180, 180, 4}, {8, 180, 180, 1}, 128, 99 * 1024).tile, 0);
}

}  // namespace
}  // namespace dray
