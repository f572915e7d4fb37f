#include "src/search/orders.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"

namespace dray {

Orders::Orders(int items) : items_(items) {
  if (items < 1 || items > kMostItems) {
    throw UsageError("a search goes over the orders of 1 to ", kMostItems, " items, not of ",
                     items);
  }
  std::vector<int> order(items);
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<int> places(order.size());
    for (size_t place = 0; place < order.size(); ++place) {
      places[order[place]] = place;
    }
    orders_.push_back(order);
    places_.push_back(std::move(places));
  } while (std::ranges::next_permutation(order).found);
}

int Orders::IndexOf(std::span<const int> order) const {
  const auto found =
      std::ranges::lower_bound(orders_, order, [](const auto& known, const auto& wanted) {
        return std::ranges::lexicographical_compare(known, wanted);
      });
  if (found == orders_.end() || !std::ranges::equal(*found, order)) {
    std::string text;
    for (const int item : order) text += Cat(text.empty() ? "" : " ", item);
    throw UsageError("not an order of ", items_, " items, each once, from 0 on: ", text);
  }
  return found - orders_.begin();
}

int Orders::DiscordantPairs(int a, int b) const {
  const std::vector<int>& order = orders_[a];
  const std::vector<int>& places = places_[b];
  int pairs = 0;
  for (size_t first = 0; first < order.size(); ++first) {
    for (size_t later = first + 1; later < order.size(); ++later) {
      pairs += places[order[first]] > places[order[later]];
    }
  }
  return pairs;
}

}  // namespace dray
