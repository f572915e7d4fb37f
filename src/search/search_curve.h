#pragma once

#include <span>
#include <vector>

#include "src/search/order_search.h"
#include "src/search/trial.h"

namespace dray {

// One order that was trained: the results that count pooled, or all of them when none counts.
struct OrderScore {
  int order = 0;
  int trials = 0;
  bool counts = false;  // at least one training complied
  TrialResult pooled;
};

// Best first: those that count, by their mean return, then the others.
std::vector<OrderScore> ScoresOf(const OrderSearch& search, std::span<const FinishedTrial> trials);

// Where a search stood after a trial. What does not exist yet is not a number.
struct CurvePoint {
  int best_order = -1;    // with the highest mean of all results so far that count; -1: none yet
  double best_return;     // its mean so far, which later results of the same order may lower
  double average_return;  // of all trials so far
  // What the best order so far lacks to the best of the whole search, both by all results.
  double regret_to_found;
  // What it lacks to the best of all orders by their true values.
  double regret_to_optimum;
};

// `truth`: every order's true value, where it is known; else empty.
std::vector<CurvePoint> CurveOf(const OrderSearch& search, std::span<const FinishedTrial> trials,
                                std::span<const double> truth = {});

}  // namespace dray
