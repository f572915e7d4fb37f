#pragma once

#include <span>
#include <vector>

#include "src/search/gaussian_process.h"

namespace dray {

// What makes the scores of trainings differ, beside the chance of the episodes that they are
// scored on, which is known:
//
//   score = μ + f(order) + seed + episodes
//   covariance = variance · (order_share · kernel + (1 - order_share) · identity) + episodes'
//
// The kernel has variance 1. Every training has a seed's luck of its own, also when its order was
// trained before: that is what training an order again averages out.
struct OrderModel {
  double variance = 1;        // of orders and seeds together
  double order_share = 0.5;   // of this variance, the part that follows from the order
  double log_likelihood = 0;  // of the scores, restricted

  double order_variance() const { return variance * order_share; }
  double seed_variance() const { return variance * (1 - order_share); }
};

// The variance by restricted maximum likelihood. Noise variances of scores are those of their
// episodes alone. At least 2 scores.
OrderModel FitVariance(const SquareMatrix& kernel, std::span<const Observation> scores,
                       double order_share);

// The share, too: the likeliest of 0.05, 0.1, 0.2, ..., 0.9. Fewer than 3 different scores tell
// nothing about it: then it is a half, and the variance 1, which is right for standardised scores.
OrderModel FitModel(const SquareMatrix& kernel, std::span<const Observation> scores);

// All of these shares with their variances, and how likely each is given the scores, when they were
// equally so before; the model above alone when there are too few scores.
struct LikelyModel {
  OrderModel model;
  double probability;
};
std::vector<LikelyModel> LikelyModels(const SquareMatrix& kernel,
                                      std::span<const Observation> scores);

// Regression under the model.
GaussianProcess Condition(const SquareMatrix& kernel, const OrderModel& model,
                          std::span<const Observation> scores);

}  // namespace dray
