#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dray {

// One training of a search: which order it is trained to follow, and what it starts from.
struct Trial {
  int number = 0;     // 1, 2, ...
  int order = 0;      // its index among all orders
  uint64_t seed = 0;  // that of every order's training of this count: its first, its second, ...
  // The trained networks to start from: a checkpoint's file, and its bytes where a training
  // elsewhere may not see the file; empty: fresh ones.
  std::string init_from;
  // What was believed of the order's return when it was chosen, its standard deviation and its
  // upper bound; not a number before any result counts.
  double predicted_mean = std::numeric_limits<double>::quiet_NaN();
  double predicted_deviation = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
};

// What came of it: the final policy, by its most probable actions, over search.episodes fresh
// episodes. Returns are those of the task itself, without what rewards following the order.
struct TrialResult {
  double mean_return = 0;      // over these episodes
  double return_variance = 0;  // of these episodes, unbiased; 0 when there is one
  int64_t episodes = 0;
  double compliance = 1;  // mean share of actions that followed the order, 0 ... 1
  int64_t updates = 0;
  bool stopped_early = false;  // it had learned what it was to learn before its limits
  double seconds = 0;
  std::string checkpoint;  // file of the trained networks; empty: none

  // Half the width of the 95 % interval of the mean (Student's t); not a number for one episode.
  double ci95() const;
};

struct FinishedTrial {
  Trial trial;
  TrialResult result;
};

// Several trainings of one order as one: all their episodes together, everything else summed or
// averaged over episodes. At least one.
TrialResult Pooled(const std::vector<TrialResult>& results);

}  // namespace dray
