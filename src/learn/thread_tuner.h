#pragma once

#include <cstddef>
#include <vector>

namespace dray {

// Finds out how many threads do a piece of work fastest that is done again and again: 1, 2, 4 and
// so on up to the most are timed in turn, a few times each, then the fewest are kept that are about
// as fast as any. After a while they are timed again, since a machine may have got other work to
// do.
class ThreadTuner {
 public:
  explicit ThreadTuner(int most_threads);

  // For the next piece of work.
  int threads() const {
    return timing() ? candidates_[tried_ % candidates_.size()].threads : best_;
  }
  // That it took so long with threads().
  void Took(double seconds);

 private:
  struct Candidate {
    int threads;
    double seconds;  // the least so far
  };

  bool timing() const;

  std::vector<Candidate> candidates_;
  size_t tried_ = 0;  // since timing began
  int best_ = 1;
};

}  // namespace dray
