#pragma once

#include <span>
#include <vector>

namespace dray {

// All orders of n items: permutations of 0 ... n - 1, numbered lexicographically. An order says
// which item comes first, second, ...; the task names the items.
class Orders {
 public:
  static constexpr int kMostItems = 7;  // 5,040 orders, whose dense covariance takes 200 MB

  // Throws an Error unless items is in 1 ... kMostItems.
  explicit Orders(int items);

  int items() const { return items_; }
  int count() const { return orders_.size(); }
  // Number of pairs of items, which is the largest distance.
  int pairs() const { return items_ * (items_ - 1) / 2; }

  std::span<const int> At(int index) const { return orders_[index]; }
  // Throws an Error if this is not an order of the items.
  int IndexOf(std::span<const int> order) const;

  // Kendall's distance: the number of pairs of items that the two orders have in opposite order.
  int DiscordantPairs(int a, int b) const;

 private:
  int items_;
  std::vector<std::vector<int>> orders_;
  std::vector<std::vector<int>> places_;  // place of each item in each order
};

}  // namespace dray
