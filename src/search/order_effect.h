#pragma once

#include <span>
#include <vector>

#include "src/search/order_search.h"

namespace dray {

// Minimum number of counted trainings for a verdict.
inline constexpr int kLeastTrainings = 8;

// Verdict of a search on whether the order matters at all.
struct OrderEffect {
  enum class Verdict { kTooFewTrainings, kNotSeen, kMatters };
  Verdict verdict = Verdict::kTooFewTrainings;
  int trainings = 0;  // number of trainings that count
  // How much likelier (restricted log likelihood) the scores are if orders may differ than if they
  // may not, and the probability that chance alone looks like that. p is 1 with too few trainings.
  double statistic = 0, p = 1;
  // The best order is the trained one with the highest posterior mean among those that count; the
  // median order is at the median of all posterior means. better_by is their difference in units of
  // return, with half its 95 % interval. -1: none.
  int best = -1, median = -1;
  double better_by = 0, better_by_ci95 = 0;
  // The difference between the best and the median order that four of five such searches would
  // detect, in units of return; only if no effect was seen. Infinite: larger than any that was
  // tried.
  double visible = 0;
};

// Returns the trained order that counts with the highest of these means; -1: none.
int BelievedBest(const OrderSearch& search, std::span<const double> mean);

// Simulates searches in which no order is better than another and returns their statistics in
// ascending order. They have the same settings, the same trainings that count, and scores made of a
// seed's luck of variance 1 and that of the episodes, whose variance is `episode_noise`.
// Deterministic.
std::vector<double> SearchesWithoutEffect(const OrderSearch& search, double episode_noise,
                                          int searches = 1000);

// Variance of a score due to its episodes, in units of the variance due to its seed.
double EpisodeNoise(const OrderSearch& search);

// Compares the search with `without`, the result of SearchesWithoutEffect for it. An adaptive
// search returns to where it was lucky, so the usual tables of such a statistic do not apply.
OrderEffect ExamineEffect(const OrderSearch& search, const std::vector<double>& without);
// Simulates the searches without effect itself, which takes seconds for 40 trainings.
OrderEffect ExamineEffect(const OrderSearch& search);

}  // namespace dray
