#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/neural/torch_sequence_decoder.h"
#include "src/oracle/neural/torch_sequence_net.h"
#include "src/oracle/neural/torch_sequence_picker.h"
#include "tests/oracle/neural/problem_batch.h"

namespace dray {
namespace {

const SequenceNetShape kSmall{.dim = 48, .layers = 2, .heads = 4, .hidden = 40, .pair_hidden = 8};

class SequenceNet : public testing::Test {
 protected:
  static void SetUpTestSuite() { at::set_num_threads(1); }
};

// Weights large enough for choices to be clear.
SequenceWeights Weights(const SequenceNetShape& shape, uint64_t seed) {
  SequenceWeights weights = RandomSequenceWeights(shape, seed);
  for (float& value : weights.values) value *= 1.5f;
  return weights;
}

at::Tensor Flat(SequenceWeights& weights) {
  return at::from_blob(weights.values.data(), {static_cast<int64_t>(weights.values.size())},
                       at::kFloat)
      .clone();
}

TEST_F(SequenceNet, SequencesHoldEveryRequestOnceAndBeginDifferently) {
  const ProblemBatch batch(40, 12, 1);
  CpuSequencePicker picker(Weights(kSmall, 1), 1);
  const std::vector<Sequences> sequences = picker.Pick(batch.pointers, 5);
  ASSERT_EQ(sequences.size(), 40u);
  for (size_t i = 0; i < batch.problems.size(); ++i) {
    const size_t n = batch.problems[i].requests.size();
    std::set<int> firsts;
    for (size_t start = 0; start < sequences[i].size(); start += n) {
      std::set<int> seen(sequences[i].begin() + start, sequences[i].begin() + start + n);
      EXPECT_EQ(seen.size(), n);
      EXPECT_EQ(*seen.rbegin(), static_cast<int>(n) - 1);
      firsts.insert(sequences[i][start]);
    }
    EXPECT_EQ(firsts.size(), std::min<size_t>(5, n));
    EXPECT_EQ(sequences[i].size(), n == 1 ? 1 : 5 * n);
  }
}

TEST_F(SequenceNet, PlainMemoryAndTensorsPickTheSameSequences) {
  // 16 dims by head, as the shipped net has, and an odd number.
  for (const int dim : {64, 20}) {
    const SequenceNetShape shape{
        .dim = dim, .layers = 3, .heads = 4, .hidden = 96, .pair_hidden = 16};
    const SequenceWeights weights = Weights(shape, 2);
    const ProblemBatch batch(60, 33, 2);
    CpuSequencePicker plain(weights, 1);
    TorchSequencePicker tensors(weights, at::kCPU, ThreadTeam::Alone());
    for (const int starts : {1, 7, 40}) {
      const std::vector<Sequences> a = plain.Pick(batch.pointers, starts);
      const std::vector<Sequences> b = tensors.Pick(batch.pointers, starts);
      int64_t picks = 0;
      int64_t sequences = 0;
      int64_t different = 0;
      for (size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].size(), b[i].size());
        const size_t n = batch.problems[i].requests.size();
        for (size_t start = 0; start < a[i].size(); start += n) {
          ++sequences;
          different +=
              !std::equal(a[i].begin() + start, a[i].begin() + start + n, b[i].begin() + start);
        }
        picks += static_cast<int64_t>(a[i].size());
      }
      // Near ties may fall either way.
      EXPECT_LE(different, sequences / 50)
          << "of " << sequences << " sequences, " << picks << " picks";
    }
  }
}

TEST_F(SequenceNet, EncodesTheSameOnPlainMemoryAsInTensors) {
  SequenceWeights weights = Weights(kSmall, 3);
  const TorchSequenceNet net(kSmall, Flat(weights));
  CpuEncoder encoder(weights);
  const ProblemBatch batch(12, 20, 3);
  const std::span<const EncodedRequests> plain = encoder.Encode(batch.pointers);
  ASSERT_EQ(plain.size(), 12u);
  for (size_t i = 0; i < plain.size(); ++i) {
    const Problem* problem = batch.pointers[i];
    const int64_t n = plain[i].n, dim = kSmall.dim;
    const TorchSequenceNet::Encoded tensors = net.Encode(
        MakeRequestBatch({&problem, 1}, static_cast<int>(n), ThreadTeam::Alone(), at::kCPU));
    const at::Tensor nodes =
        at::from_blob(const_cast<float*>(plain[i].nodes), {n, 5 * dim}, at::kFloat);
    const at::Tensor queries = nodes.narrow(1, 3 * dim, 2 * dim);
    EXPECT_LT((queries - tensors.queries[0]).abs().max().item<float>(), 1e-4);
    const at::Tensor graph = at::from_blob(const_cast<float*>(plain[i].graph), {dim}, at::kFloat);
    EXPECT_LT((graph - tensors.graph[0][0]).abs().max().item<float>(), 1e-4);
    const at::Tensor biases =
        at::from_blob(const_cast<float*>(plain[i].biases), {kSmall.heads + 2, n, n}, at::kFloat);
    const at::Tensor rows = tensors.pair_rows.view({n, kSmall.heads + 2, n}).transpose(0, 1);
    EXPECT_LT((biases - rows).abs().max().item<float>(), 1e-4);
  }
}

TEST_F(SequenceNet, PaddingChangesNothing) {
  SequenceWeights weights = Weights(kSmall, 4);
  const TorchSequenceNet net(kSmall, Flat(weights));
  const ProblemBatch batch(8, 10, 4);
  const auto most = static_cast<int>(batch.MostRequests());
  const TorchSequenceNet::Encoded together =
      net.Encode(MakeRequestBatch(batch.pointers, most + 3, ThreadTeam::Alone(), at::kCPU));
  ASSERT_EQ(batch.problems.size(), 8u);
  for (size_t i = 0; i < batch.problems.size(); ++i) {
    const Problem* problem = batch.pointers[i];
    const auto n = static_cast<int64_t>(problem->requests.size());
    const TorchSequenceNet::Encoded alone = net.Encode(
        MakeRequestBatch({&problem, 1}, static_cast<int>(n), ThreadTeam::Alone(), at::kCPU));
    const auto row = static_cast<int64_t>(i);
    EXPECT_LT((alone.queries[0] - together.queries[row].narrow(0, 0, n)).abs().max().item<float>(),
              1e-4);
    EXPECT_LT((alone.graph[0] - together.graph[row]).abs().max().item<float>(), 1e-4);
  }
}

// Of every pick of sequences [B, starts, n], one pick after the other, as sequences are made.
at::Tensor LogProbsPickByPick(const TorchSequenceNet::Encoded& encoded,
                              const at::Tensor& sequences) {
  TorchSequenceDecoder decoder(kSmall, encoded, sequences.size(1));
  std::vector<at::Tensor> picks;
  for (int64_t step = 0; step < sequences.size(2); ++step) {
    const at::Tensor log_probs =
        at::log_softmax(TorchSequenceDecoder::Clipped(decoder.Scores()), -1);
    picks.push_back(log_probs.gather(2, sequences.narrow(2, step, 1)));
    decoder.Pick(sequences.select(2, step));
  }
  return at::cat(picks, 2);
}

TEST_F(SequenceNet, OnePassGivesTheLogProbabilitiesOfPickByPick) {
  SequenceWeights weights = Weights(kSmall, 5);
  const TorchSequenceNet net(kSmall, Flat(weights));
  const ProblemBatch batch(6, 9, 5, /*all_of_most=*/true);
  const int64_t n = 9, starts = 4;
  const TorchSequenceNet::Encoded encoded = net.Encode(
      MakeRequestBatch(batch.pointers, static_cast<int>(n), ThreadTeam::Alone(), at::kCPU));
  const at::Tensor firsts = at::full({6, starts}, -1, at::kLong);
  const at::Tensor sequences = net.Sample(encoded, firsts);
  const at::Tensor at_once = net.LogProbs(encoded, sequences);
  const at::Tensor step_by_step = LogProbsPickByPick(encoded, sequences);
  EXPECT_LT((at_once - step_by_step).abs().max().item<float>(), 1e-4);
  EXPECT_LT(at_once.max().item<float>(), 1e-4);
  // The last pick has no choice.
  EXPECT_LT(at_once.select(2, n - 1).abs().max().item<float>(), 1e-4);
}

TEST_F(SequenceNet, SamplesBeginAsForced) {
  SequenceWeights weights = Weights(kSmall, 6);
  const TorchSequenceNet net(kSmall, Flat(weights));
  const ProblemBatch batch(5, 6, 6, /*all_of_most=*/true);
  const TorchSequenceNet::Encoded encoded =
      net.Encode(MakeRequestBatch(batch.pointers, 6, ThreadTeam::Alone(), at::kCPU));
  at::Tensor firsts = at::full({5, 6}, -1, at::kLong);
  firsts.narrow(1, 2, 4).copy_(at::arange(4, at::kLong));
  const at::Tensor sequences = net.Sample(encoded, firsts);
  EXPECT_TRUE(
      (sequences.select(2, 0).narrow(1, 2, 4) == at::arange(4, at::kLong)).all().item<bool>());
  EXPECT_TRUE((std::get<0>(sequences.sort(2)) == at::arange(6, at::kLong)).all().item<bool>());
}

}  // namespace
}  // namespace dray
