#pragma once

#include <span>
#include <vector>

#include "src/search/gaussian_process.h"

namespace dray {

// Model of the differences between scores of trainings, beside the noise of their episodes, which
// is known:
//
//   score = μ + f(order) + seed + episodes
//   covariance = variance · (order_share · kernel + (1 - order_share) · identity) + episodes'
//
// The kernel has variance 1. Every training has its own seed and luck, even if its order was
// trained before; training an order again averages that out.
struct OrderModel {
  double variance = 1;        // variance of orders and seeds together
  double order_share = 0.5;   // fraction of the variance that is due to the order
  double log_likelihood = 0;  // restricted log likelihood of the scores

  double order_variance() const { return variance * order_share; }
  double seed_variance() const { return variance * (1 - order_share); }
};

// Fits the variance by restricted maximum likelihood. The noise variances of the scores are those
// of their episodes alone. Needs at least 2 scores.
OrderModel FitVariance(const SquareMatrix& kernel, std::span<const Observation> scores,
                       double order_share);

// Fits the share as well: the likeliest of 0.05, 0.1, 0.2, ..., 0.9. With fewer than 3 different
// scores, which say nothing about it, the share is a half and the variance 1, which is right for
// standardised scores.
OrderModel FitModel(const SquareMatrix& kernel, std::span<const Observation> scores);

// Returns all of these shares with their variances and posterior probabilities under a uniform
// prior; only the default model if there are too few scores.
struct LikelyModel {
  OrderModel model;
  double probability;
};
std::vector<LikelyModel> LikelyModels(const SquareMatrix& kernel,
                                      std::span<const Observation> scores);

// Conditions the model on the scores.
GaussianProcess Condition(const SquareMatrix& kernel, const OrderModel& model,
                          std::span<const Observation> scores);

}  // namespace dray
