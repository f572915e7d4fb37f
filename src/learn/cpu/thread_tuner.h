#pragma once

#include <cstddef>
#include <vector>

namespace dray {

// Finds the number of threads that is fastest for work that is repeated many times: times 1, 2, 4
// and so on up to the most in turn, a few times each, then keeps the smallest number that is about
// as fast as any. Measures again after a while, since the machine's load may change.
class ThreadTuner {
 public:
  explicit ThreadTuner(int most_threads);

  // Number of threads for the next piece of work.
  int threads() const {
    return timing() ? candidates_[tried_ % candidates_.size()].threads : best_;
  }
  // Reports how long that work took with threads().
  void Took(double seconds);

 private:
  struct Candidate {
    int threads;
    double seconds;  // shortest so far
  };

  bool timing() const;

  std::vector<Candidate> candidates_;
  size_t tried_ = 0;  // pieces of work since timing began
  int best_ = 1;
};

}  // namespace dray
