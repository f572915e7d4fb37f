#include "src/learn/pass_orders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dray {
namespace {

constexpr PassOrders::Request kRequest{.seed = 7, .stream = 3, .rows = 40'000, .passes = 3};

TEST(PassOrders, AreThePermutationsOfEachOther) {
  const PassOrders::Orders orders = PassOrders::Make(kRequest);
  ASSERT_EQ(orders.size(), 3u);
  for (const std::vector<int64_t>& order : orders) {
    ASSERT_EQ(std::ssize(order), kRequest.rows);
    std::vector<int64_t> sorted = order;
    std::ranges::sort(sorted);
    for (int64_t i = 0; i < kRequest.rows; ++i) ASSERT_EQ(sorted[i], i);
  }
  EXPECT_NE(orders[0], orders[1]);
}

TEST(PassOrders, AreTheSameWhenPrepared) {
  PassOrders orders;
  orders.Prepare(kRequest);
  EXPECT_EQ(orders.Take(kRequest), PassOrders::Make(kRequest));
  EXPECT_EQ(orders.Take(kRequest), PassOrders::Make(kRequest));  // no longer prepared
}

TEST(PassOrders, ArePreparedForOneRequestOnly) {
  PassOrders orders;
  orders.Prepare(kRequest);
  PassOrders::Request other = kRequest;
  ++other.stream;
  EXPECT_EQ(orders.Take(other), PassOrders::Make(other));
}

}  // namespace
}  // namespace dray
