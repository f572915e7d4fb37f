#include "src/search/orders.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::ElementsAre;

TEST(Orders, OfFiveItemsAre120InLexicographicOrder) {
  const Orders orders(5);
  EXPECT_EQ(orders.count(), 120);
  EXPECT_EQ(orders.pairs(), 10);
  EXPECT_THAT(orders.At(0), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(orders.At(1), ElementsAre(0, 1, 2, 4, 3));
  EXPECT_THAT(orders.At(119), ElementsAre(4, 3, 2, 1, 0));
  for (int i = 1; i < orders.count(); ++i) {
    EXPECT_TRUE(std::ranges::lexicographical_compare(orders.At(i - 1), orders.At(i)));
  }
}

TEST(Orders, IndexAndOrderSayTheSame) {
  const std::vector<std::pair<int, int>> cases = {{1, 1}, {2, 2}, {3, 6}, {5, 120}, {6, 720}};
  for (const auto& [items, count] : cases) {
    const Orders orders(items);
    ASSERT_EQ(orders.count(), count);
    for (int i = 0; i < orders.count(); ++i) EXPECT_EQ(orders.IndexOf(orders.At(i)), i);
  }
}

TEST(Orders, DiscordantPairsCountSwapsOfNeighbours) {
  const Orders orders(5);
  const auto distance = [&](std::vector<int> a, std::vector<int> b) {
    return orders.DiscordantPairs(orders.IndexOf(a), orders.IndexOf(b));
  };
  EXPECT_EQ(distance({0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}), 0);
  EXPECT_EQ(distance({0, 1, 2, 3, 4}, {1, 0, 2, 3, 4}), 1);
  EXPECT_EQ(distance({0, 1, 2, 3, 4}, {1, 2, 3, 4, 0}), 4);
  EXPECT_EQ(distance({0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}), 10);
  EXPECT_EQ(distance({2, 0, 4, 1, 3}, {4, 3, 1, 2, 0}), 7);
}

TEST(Orders, DiscordantPairsAreAMetricThatRelabellingLeavesAlone) {
  const Orders orders(4);
  ASSERT_EQ(orders.count(), 24);
  for (int a = 0; a < orders.count(); ++a) {
    for (int b = 0; b < orders.count(); ++b) {
      EXPECT_EQ(orders.DiscordantPairs(a, b) == 0, a == b);
      EXPECT_EQ(orders.DiscordantPairs(a, b), orders.DiscordantPairs(b, a));
      std::vector<int> other_a, other_b;
      for (const int item : orders.At(a)) other_a.push_back((item + 1) % 4);
      for (const int item : orders.At(b)) other_b.push_back((item + 1) % 4);
      EXPECT_EQ(orders.DiscordantPairs(orders.IndexOf(other_a), orders.IndexOf(other_b)),
                orders.DiscordantPairs(a, b));
      for (int c = 0; c < orders.count(); ++c) {
        EXPECT_LE(orders.DiscordantPairs(a, c),
                  orders.DiscordantPairs(a, b) + orders.DiscordantPairs(b, c));
      }
    }
  }
}

TEST(Orders, WhatIsNoOrderIsAnError) {
  const Orders orders(3);
  EXPECT_THROW(orders.IndexOf(std::vector<int>{0, 1}), Error);
  EXPECT_THROW(orders.IndexOf(std::vector<int>{0, 1, 1}), Error);
  EXPECT_THROW(orders.IndexOf(std::vector<int>{0, 1, 3}), Error);
  EXPECT_THROW(orders.IndexOf(std::vector<int>{2, 1, 0, 0}), Error);
  EXPECT_THROW(Orders(0), Error);
  EXPECT_THROW(Orders(8), Error);
}

}  // namespace
}  // namespace dray
