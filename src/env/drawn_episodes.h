#pragma once

#include <span>
#include <string>
#include <vector>

namespace dray {

// Which episodes to draw: by their numbers, from 1, or the best, the median and the worst of all.
class DrawnEpisodes {
 public:
  DrawnEpisodes() = default;  // the first
  // Such as "3" or "best,median,worst". An Error that begins with --episode for all else.
  static DrawnEpisodes Parse(const std::string& text);

  // Whether episodes have to be played before it is known.
  bool by_score() const { return !places_.empty(); }
  // An Error when one of them is not among so many.
  void ExpectWithin(int episodes) const;
  // Their numbers, each once. `scores` by episode, larger is better; not needed unless by_score.
  std::vector<int> Choose(std::span<const double> scores) const;

 private:
  enum class Place { kBest, kMedian, kWorst };

  std::vector<int> numbers_ = {1};
  std::vector<Place> places_;
};

}  // namespace dray
