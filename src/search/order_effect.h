#pragma once

#include <span>
#include <vector>

#include "src/search/order_search.h"

namespace dray {

// Fewer that count tell nothing.
inline constexpr int kLeastTrainings = 8;

// What a search says about whether the order matters at all.
struct OrderEffect {
  enum class Verdict { kTooFewTrainings, kNotSeen, kMatters };
  Verdict verdict = Verdict::kTooFewTrainings;
  int trainings = 0;  // that count
  // How much likelier (restricted log likelihood) the scores are when orders may differ than when
  // they may not, and how often pure chance would look like that much. 1 when there are too few.
  double statistic = 0, p = 1;
  // Of the trained orders that count, the one with the highest posterior mean; the order at the
  // median of all posterior means; by how much the one is better, and half the 95 % interval of
  // that, in units of return. -1: none.
  int best = -1, median = -1;
  double better_by = 0, better_by_ci95 = 0;
  // The difference between the best order and the median one that four of five such searches see,
  // in units of return; only when none was seen. Infinite: more than any that was tried.
  double visible = 0;
};

// Of the orders that were trained and count, the one with the highest of these means; -1: none.
int BelievedBest(const OrderSearch& search, std::span<const double> mean);

// The statistics, in ascending order, of as many repeated searches in which no order is better than
// another: the same settings, as many trainings of which the same ones count, every score a seed's
// luck of variance 1 and that of its episodes, whose variance is `episode_noise`. Chance is always
// the same.
std::vector<double> SearchesWithoutEffect(const OrderSearch& search, double episode_noise,
                                          int searches = 1000);

// The variance of a score by its episodes, in units of the variance by its seed.
double EpisodeNoise(const OrderSearch& search);

// `without`: what SearchesWithoutEffect gives for this search. An adaptive search goes back to
// where it was lucky, so that the usual tables of such a statistic do not hold.
OrderEffect ExamineEffect(const OrderSearch& search, const std::vector<double>& without);
// With those made here: seconds for 40 trainings.
OrderEffect ExamineEffect(const OrderSearch& search);

}  // namespace dray
