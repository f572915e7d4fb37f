#include <ATen/Context.h>
#include <gtest/gtest.h>

#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/neural/neural_oracle.h"
#include "src/oracle/neural/torch_sequence_picker.h"
#include "src/oracle/splitting.h"
#include "tests/nets/full_gpu.h"
#include "tests/oracle/neural/problem_batch.h"

namespace dray {
namespace {

// A GPU, beside the CPU on plain memory. Without one, tensors on the CPU stand in for it: all but
// the GPU's own kernel is then the same.
class GpuSequences : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (GetParam() > 5 && Device().is_cpu()) GTEST_SKIP() << "takes a minute without a GPU";
  }
  static at::Device Device() { return at::globalContext().hasCUDA() ? at::kCUDA : at::kCPU; }

  ThreadTeam team_{3};
  CpuSequencePicker cpu_{ShippedSequenceWeights(), 2};
  TorchSequencePicker gpu_{ShippedSequenceWeights(), Device(), team_};
};

struct Compared {
  int64_t picks = 0;
  int64_t same_picks = 0;
};

void Compare(const std::vector<Sequences>& found, const std::vector<Sequences>& expected,
             Compared& compared) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[i].size());
    compared.picks += static_cast<int64_t>(found[i].size());
    for (size_t k = 0; k < found[i].size(); ++k) {
      compared.same_picks += found[i][k] == expected[i][k];
    }
  }
}

// Again and again, so that launches are recorded and replayed; of several sizes.
TEST_P(GpuSequences, AreThoseOfTheCpu) {
  Compared compared;
  const int rounds = Device().is_cpu() ? 2 : 6;
  for (int round = 0; round < rounds; ++round) {
    for (const int count : {1, 21, 64}) {
      const ProblemBatch batch(count, 30, static_cast<uint64_t>(10 * round + count),
                               /*all_of_most=*/round % 2 == 0);
      Compare(gpu_.Pick(batch.pointers, GetParam()), cpu_.Pick(batch.pointers, GetParam()),
              compared);
    }
  }
  // Near ties may fall either way.
  EXPECT_GE(compared.same_picks, compared.picks - compared.picks / 1000)
      << compared.same_picks << " of " << compared.picks;
}

TEST_P(GpuSequences, AreTakenInTheOrderInWhichTheyWereBegun) {
  const ProblemBatch first(40, 12, 1), second(40, 12, 2);
  const std::vector<Sequences> expected[] = {cpu_.Pick(first.pointers, GetParam()),
                                             cpu_.Pick(second.pointers, GetParam())};
  for (int round = 0; round < 4; ++round) {
    Compared compared;
    gpu_.Begin(first.pointers, GetParam());
    gpu_.Begin(second.pointers, GetParam());
    Compare(gpu_.Take(), expected[0], compared);
    Compare(gpu_.Take(), expected[1], compared);
    EXPECT_GE(compared.same_picks, compared.picks - compared.picks / 100);
  }
}

TEST_P(GpuSequences, CostTheSameWhereTheyAreTheSame) {
  const ProblemBatch batch(Device().is_cpu() ? 40 : 300, 30, 3);
  const std::vector<Sequences> ours = gpu_.Pick(batch.pointers, GetParam());
  const std::vector<Sequences> expected = cpu_.Pick(batch.pointers, GetParam());
  NeuralOracle gpu(std::make_unique<TorchSequencePicker>(ShippedSequenceWeights(), Device(), team_),
                   GetParam(), team_);
  NeuralOracle cpu(std::make_unique<CpuSequencePicker>(ShippedSequenceWeights(), 1), GetParam());
  for (int round = 0; round < 4; ++round) {
    const std::vector<OracleAnswer> a = gpu.Solve(batch.pointers), b = cpu.Solve(batch.pointers);
    ASSERT_EQ(a.size(), batch.pointers.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (ours[i] != expected[i]) continue;
      EXPECT_EQ(a[i].cost.total(), b[i].cost.total()) << i;
      EXPECT_EQ(a[i].cost.unserved, b[i].cost.unserved) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Starts, GpuSequences, testing::Values(1, 5, 33));

// Again and again, so that smaller batches are recorded too, for which there may be no room.
TEST(GpuMemory, BatchesThatDoNotFitAreSplitAndCostTheSame) {
  if (!at::globalContext().hasCUDA()) GTEST_SKIP() << "this machine has no CUDA device";
  constexpr int kStarts = 5;
  ThreadTeam team{3};
  const auto make = [&] {
    return std::make_shared<NeuralOracle>(
        std::make_unique<TorchSequencePicker>(ShippedSequenceWeights(), at::kCUDA, team), kStarts,
        team);
  };
  const ProblemBatch batch(16'000, 30, 7);
  const std::vector<OracleAnswer> expected = make()->Solve(batch.pointers);
  const FullGpu full(400);
  SplittingOracle oracle(make(), batch.pointers.size());
  for (int round = 0; round < 5; ++round) {
    const std::vector<OracleAnswer> answers = oracle.Solve(batch.pointers);
    ASSERT_EQ(answers.size(), expected.size());
    int same = 0;
    for (size_t i = 0; i < answers.size(); ++i) {
      same += answers[i].cost.total() == expected[i].cost.total();
    }
    EXPECT_GE(same, 15'900);  // near ties may fall either way
  }
  EXPECT_GT(oracle.splits(), 0);
}

}  // namespace
}  // namespace dray
