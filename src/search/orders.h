#pragma once

#include <span>
#include <vector>

namespace dray {

// Every order of n items: permutations of 0 ... n - 1, numbered lexicographically. An order says
// which item comes first, second, ...; what the items are called is the task's business.
class Orders {
 public:
  static constexpr int kMostItems = 7;  // 5,040 orders: a dense covariance of them is 200 MB

  // 1 ... kMostItems items, else an Error.
  explicit Orders(int items);

  int items() const { return items_; }
  int count() const { return static_cast<int>(orders_.size()); }
  // Pairs of items, and so the largest distance.
  int pairs() const { return items_ * (items_ - 1) / 2; }

  std::span<const int> At(int index) const { return orders_[index]; }
  // An Error when it is no order of these items.
  int IndexOf(std::span<const int> order) const;

  // Kendall's distance: the pairs of items that one order has the other way round.
  int DiscordantPairs(int a, int b) const;

 private:
  int items_;
  std::vector<std::vector<int>> orders_;
  std::vector<std::vector<int>> places_;  // the place of each item in each order
};

}  // namespace dray
