#include "src/env/drawn_episodes.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "src/base/error.h"

namespace dray {

DrawnEpisodes DrawnEpisodes::Parse(const std::string& text) {
  DrawnEpisodes drawn;
  drawn.numbers_.clear();
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    const std::string word = text.substr(start, end - start);
    start = end + 1;
    if (word == "best") {
      drawn.places_.push_back(Place::kBest);
    } else if (word == "median") {
      drawn.places_.push_back(Place::kMedian);
    } else if (word == "worst") {
      drawn.places_.push_back(Place::kWorst);
    } else {
      int number = 0;
      const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc() || rest != word.data() + word.size() || number < 1) {
        throw UsageError(
            "--episode ", text,
            ": expected numbers from 1, or best, median and worst, separated by commas");
      }
      drawn.numbers_.push_back(number);
    }
  }
  return drawn;
}

void DrawnEpisodes::ExpectWithin(int episodes) const {
  for (const int number : numbers_) {
    if (number > episodes) {
      throw UsageError("--episode ", number, ": only ", episodes,
                       " are played; ask for more with --episodes");
    }
  }
}

std::vector<int> DrawnEpisodes::Choose(std::span<const double> scores) const {
  std::vector<int> chosen = numbers_;
  std::vector<int> order(scores.size());
  std::iota(order.begin(), order.end(), 1);
  std::ranges::stable_sort(order, std::greater<>(), [&](int number) { return scores[number - 1]; });
  for (const Place place : places_) {
    DRAY_CHECK(!order.empty());
    chosen.push_back(place == Place::kBest     ? order.front()
                     : place == Place::kMedian ? order[(order.size() - 1) / 2]
                                               : order.back());
  }
  std::vector<int> once;
  for (const int number : chosen) {
    if (std::ranges::find(once, number) == once.end()) once.push_back(number);
  }
  return once;
}

}  // namespace dray
