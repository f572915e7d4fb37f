#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dray {

// One training of a search: the order to follow and the starting point.
struct Trial {
  int number = 0;     // 1, 2, ...
  int order = 0;      // index among all orders
  uint64_t seed = 0;  // the same for every order's k-th training
  // Checkpoint with the trained networks to start from, and its bytes if the training may run where
  // the file is not visible; empty: fresh networks.
  std::string init_from;
  // Belief about the order's return when it was chosen: mean, standard deviation and upper bound;
  // NaN before any result counts.
  double predicted_mean = std::numeric_limits<double>::quiet_NaN();
  double predicted_deviation = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
};

// Result of a training: the final policy's most probable actions over search.episodes fresh
// episodes. Returns are the task's own, without the reward for following the order.
struct TrialResult {
  double mean_return = 0;      // mean over the episodes
  double return_variance = 0;  // unbiased variance over the episodes; 0 if there is one
  int64_t episodes = 0;
  double compliance = 1;  // mean fraction of actions that followed the order, 0 ... 1
  int64_t updates = 0;
  bool stopped_early = false;  // it reached its goal before its limits
  double seconds = 0;
  std::string checkpoint;  // file with the trained networks; empty: none

  // Half the width of the 95 % interval of the mean (Student's t); NaN for one episode.
  double ci95() const;
};

struct FinishedTrial {
  Trial trial;
  TrialResult result;
};

// Pools at least one training of an order: all their episodes together, everything else summed or
// averaged over episodes.
TrialResult Pooled(const std::vector<TrialResult>& results);

}  // namespace dray
