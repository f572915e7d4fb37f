#pragma once

#include <span>
#include <string>
#include <vector>

namespace dray {

// The episodes to draw: given by number, counted from 1, or as the best, median and worst.
class DrawnEpisodes {
 public:
  DrawnEpisodes() = default;  // the first
  // Parses a text such as "3" or "best,median,worst"; anything else is an Error that begins with
  // --episode.
  static DrawnEpisodes Parse(const std::string& text);

  // Returns whether the choice depends on scores, so that the episodes must be played first.
  bool by_score() const { return !places_.empty(); }
  // Throws an Error if a number is larger than `episodes`.
  void ExpectWithin(int episodes) const;
  // Returns the numbers, each once. `scores` holds one per episode, larger is better; needed only
  // if by_score.
  std::vector<int> Choose(std::span<const double> scores) const;

 private:
  enum class Place { kBest, kMedian, kWorst };

  std::vector<int> numbers_ = {1};
  std::vector<Place> places_;
};

}  // namespace dray
