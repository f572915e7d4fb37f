#pragma once

#include <span>
#include <vector>

#include "src/search/order_search.h"
#include "src/search/trial.h"

namespace dray {

// A trained order with its pooled results: those that count, or all if none counts.
struct OrderScore {
  int order = 0;
  int trials = 0;
  bool counts = false;  // true if at least one training complied
  TrialResult pooled;
};

// Ranks the trained orders: first those that count, by their mean return, then the others.
std::vector<OrderScore> ScoresOf(const OrderSearch& search, std::span<const FinishedTrial> trials);

// State of a search after a trial. Values that do not exist yet are NaN.
struct CurvePoint {
  int best_order = -1;    // highest mean of all results so far that count; -1: none yet
  double best_return;     // its mean so far; later results of the same order may lower it
  double average_return;  // mean over all trials so far
  // Difference between the best order so far and the best of the whole search, by all results.
  double regret_to_found;
  // Difference to the best of all orders by their true values.
  double regret_to_optimum;
};

// `truth`: every order's true value if known, else empty.
std::vector<CurvePoint> CurveOf(const OrderSearch& search, std::span<const FinishedTrial> trials,
                                std::span<const double> truth = {});

}  // namespace dray
