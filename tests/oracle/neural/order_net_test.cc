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

#include "src/oracle/neural/cpu_order_picker.h"
#include "src/oracle/neural/torch_order_decoder.h"
#include "src/oracle/neural/torch_order_net.h"
#include "src/oracle/neural/torch_order_picker.h"
#include "tests/oracle/neural/problem_batch.h"

namespace dray {
namespace {

const OrderNetShape kSmall{.dim = 48, .layers = 2, .heads = 4, .hidden = 40, .pair_hidden = 8};

class OrderNet : public testing::Test {
 protected:
  static void SetUpTestSuite() { at::set_num_threads(1); }
};

// Weights large enough for choices to be clear.
OrderWeights Weights(const OrderNetShape& shape, uint64_t seed) {
  OrderWeights weights = RandomOrderWeights(shape, seed);
  for (float& value : weights.values) value *= 1.5f;
  return weights;
}

at::Tensor Flat(OrderWeights& weights) {
  return at::from_blob(weights.values.data(), {static_cast<int64_t>(weights.values.size())},
                       at::kFloat)
      .clone();
}

TEST_F(OrderNet, OrdersHoldEveryRequestOnceAndBeginDifferently) {
  const ProblemBatch batch(40, 12, 1);
  CpuOrderPicker picker(Weights(kSmall, 1), 1);
  const std::vector<Orders> orders = picker.Pick(batch.pointers, 5);
  for (size_t i = 0; i < batch.problems.size(); ++i) {
    const size_t n = batch.problems[i].requests.size();
    std::set<int> firsts;
    for (size_t start = 0; start < orders[i].size(); start += n) {
      std::set<int> seen(orders[i].begin() + start, orders[i].begin() + start + n);
      EXPECT_EQ(seen.size(), n);
      EXPECT_EQ(*seen.rbegin(), static_cast<int>(n) - 1);
      firsts.insert(orders[i][start]);
    }
    EXPECT_EQ(firsts.size(), std::min<size_t>(5, n));
    EXPECT_EQ(orders[i].size(), n == 1 ? 1 : 5 * n);
  }
}

TEST_F(OrderNet, PlainMemoryAndTensorsPickTheSameOrders) {
  // 16 dims by head, as the shipped net has, and an odd number.
  for (const int dim : {64, 20}) {
    const OrderNetShape shape{.dim = dim, .layers = 3, .heads = 4, .hidden = 96, .pair_hidden = 16};
    const OrderWeights weights = Weights(shape, 2);
    const ProblemBatch batch(60, 33, 2);
    CpuOrderPicker plain(weights, 1);
    TorchOrderPicker tensors(weights, at::kCPU, 1);
    for (const int starts : {1, 7, 40}) {
      const std::vector<Orders> a = plain.Pick(batch.pointers, starts);
      const std::vector<Orders> b = tensors.Pick(batch.pointers, starts);
      int64_t picks = 0;
      int64_t orders = 0;
      int64_t different = 0;
      for (size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].size(), b[i].size());
        const size_t n = batch.problems[i].requests.size();
        for (size_t start = 0; start < a[i].size(); start += n) {
          ++orders;
          different +=
              !std::equal(a[i].begin() + start, a[i].begin() + start + n, b[i].begin() + start);
        }
        picks += static_cast<int64_t>(a[i].size());
      }
      // Near ties may fall either way.
      EXPECT_LE(different, orders / 50) << "of " << orders << " orders, " << picks << " picks";
    }
  }
}

TEST_F(OrderNet, EncodesTheSameOnPlainMemoryAsInTensors) {
  OrderWeights weights = Weights(kSmall, 3);
  const TorchOrderNet net(kSmall, Flat(weights));
  CpuEncoder encoder(weights);
  const ProblemBatch batch(12, 20, 3);
  const std::span<const EncodedRequests> plain = encoder.Encode(batch.pointers);
  for (size_t i = 0; i < plain.size(); ++i) {
    const Problem* problem = batch.pointers[i];
    const int64_t n = plain[i].n, dim = kSmall.dim;
    const TorchOrderNet::Encoded tensors =
        net.Encode(MakeOrderBatch({&problem, 1}, static_cast<int>(n), 1, at::kCPU));
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

TEST_F(OrderNet, PaddingChangesNothing) {
  OrderWeights weights = Weights(kSmall, 4);
  const TorchOrderNet net(kSmall, Flat(weights));
  const ProblemBatch batch(8, 10, 4);
  const auto most = static_cast<int>(batch.MostRequests());
  const TorchOrderNet::Encoded together =
      net.Encode(MakeOrderBatch(batch.pointers, most + 3, 1, at::kCPU));
  for (size_t i = 0; i < batch.problems.size(); ++i) {
    const Problem* problem = batch.pointers[i];
    const auto n = static_cast<int64_t>(problem->requests.size());
    const TorchOrderNet::Encoded alone =
        net.Encode(MakeOrderBatch({&problem, 1}, static_cast<int>(n), 1, at::kCPU));
    const auto row = static_cast<int64_t>(i);
    EXPECT_LT((alone.queries[0] - together.queries[row].narrow(0, 0, n)).abs().max().item<float>(),
              1e-4);
    EXPECT_LT((alone.graph[0] - together.graph[row]).abs().max().item<float>(), 1e-4);
  }
}

// Of every pick of orders [B, starts, n], one pick after the other, as orders are made.
at::Tensor LogProbsPickByPick(const TorchOrderNet::Encoded& encoded, const at::Tensor& orders) {
  OrderDecoder decoder(kSmall, encoded, orders.size(1));
  std::vector<at::Tensor> picks;
  for (int64_t step = 0; step < orders.size(2); ++step) {
    const at::Tensor log_probs = at::log_softmax(OrderDecoder::Clipped(decoder.Scores()), -1);
    picks.push_back(log_probs.gather(2, orders.narrow(2, step, 1)));
    decoder.Pick(orders.select(2, step));
  }
  return at::cat(picks, 2);
}

TEST_F(OrderNet, OnePassGivesTheLogProbabilitiesOfPickByPick) {
  OrderWeights weights = Weights(kSmall, 5);
  const TorchOrderNet net(kSmall, Flat(weights));
  const ProblemBatch batch(6, 9, 5, /*all_of_most=*/true);
  const int64_t n = 9, starts = 4;
  const TorchOrderNet::Encoded encoded =
      net.Encode(MakeOrderBatch(batch.pointers, static_cast<int>(n), 1, at::kCPU));
  const at::Tensor firsts = at::full({6, starts}, -1, at::kLong);
  const at::Tensor orders = net.Sample(encoded, firsts);
  const at::Tensor at_once = net.LogProbs(encoded, orders);
  const at::Tensor step_by_step = LogProbsPickByPick(encoded, orders);
  EXPECT_LT((at_once - step_by_step).abs().max().item<float>(), 1e-4);
  EXPECT_LT(at_once.max().item<float>(), 1e-4);
  // The last pick has no choice.
  EXPECT_LT(at_once.select(2, n - 1).abs().max().item<float>(), 1e-4);
}

TEST_F(OrderNet, SamplesBeginAsForced) {
  OrderWeights weights = Weights(kSmall, 6);
  const TorchOrderNet net(kSmall, Flat(weights));
  const ProblemBatch batch(5, 6, 6, /*all_of_most=*/true);
  const TorchOrderNet::Encoded encoded = net.Encode(MakeOrderBatch(batch.pointers, 6, 1, at::kCPU));
  at::Tensor firsts = at::full({5, 6}, -1, at::kLong);
  firsts.narrow(1, 2, 4).copy_(at::arange(4, at::kLong));
  const at::Tensor orders = net.Sample(encoded, firsts);
  EXPECT_TRUE((orders.select(2, 0).narrow(1, 2, 4) == at::arange(4, at::kLong)).all().item<bool>());
  EXPECT_TRUE((std::get<0>(orders.sort(2)) == at::arange(6, at::kLong)).all().item<bool>());
}

}  // namespace
}  // namespace dray
