#include "src/search/order_effect.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "src/base/parallel_for.h"
#include "src/base/rng.h"
#include "src/search/order_model.h"

namespace dray {
namespace {

constexpr double kLargestP = 0.03;  // largest p at which the order is said to matter
// Effect sizes tried to find the one that four of five searches detect: standard deviation over
// orders, in units of the seeds'.
constexpr double kSizes[] = {0.5, 0.75, 1, 1.5, 2, 3, 4};
constexpr int kSearchesPerSize = 100;
constexpr double kPower = 0.8;
constexpr uint64_t kSeed = 20101;

int Cores() { return std::max(1u, std::thread::hardware_concurrency()); }

double Statistic(const OrderSearch& search) {
  const std::vector<Observation> scores = search.Scored().values;
  if (scores.size() < 3) return 0;
  return FitModel(search.kernel(), scores).log_likelihood -
         FitVariance(search.kernel(), scores, /*order_share=*/0).log_likelihood;
}

// Repeats a search like `like` in which every order is worth its `effect`, and returns its
// statistic.
double Repeat(const OrderSearch& like, double episode_noise, std::span<const double> effect,
              Rng& rng) {
  OrderSearch search = like.Fresh(rng.Next64());
  const std::vector<bool> counted = like.Counted();
  const int parallel = std::max(1, like.config().parallel());
  while (search.told() < like.told()) {
    for (const auto& choice : search.Next(std::min(parallel, like.told() - search.told()))) {
      TrialResult result;
      result.episodes = 2;
      result.return_variance = 2 * episode_noise;
      result.compliance = counted[search.told()] ? 1 : 0;
      if (result.compliance == 0) result.episodes = 0;
      result.mean_return = std::sqrt(1 + episode_noise) * rng.Normal();
      if (!effect.empty()) result.mean_return += effect[choice.order];
      search.Tell(choice.order, result);
    }
  }
  return Statistic(search);
}

// Draws a random value for every order, as a sum over its pairs of items; standardised.
std::vector<double> DrawEffect(const Orders& orders, Rng& rng) {
  const size_t items = orders.items();
  std::vector<double> pairs(items * items), effect;
  for (double& pair : pairs) pair = rng.Normal();
  for (int i = 0; i < orders.count(); ++i) {
    const std::span<const int> order = orders.At(i);
    double sum = 0;
    for (size_t a = 0; a < items; ++a) {
      for (size_t b = a + 1; b < items; ++b) {
        sum += pairs[order[a] * items + order[b]];
      }
    }
    effect.push_back(sum);
  }
  const double count = effect.size();
  const double mean = std::accumulate(effect.begin(), effect.end(), 0.0) / count;
  double squares = 0;
  for (const double value : effect) squares += (value - mean) * (value - mean);
  for (double& value : effect) value = (value - mean) / std::sqrt(squares / count);
  return effect;
}

double BestLessMedian(std::vector<double> values) {
  std::ranges::sort(values);
  return values.back() - values[values.size() / 2];
}

double PValue(double statistic, const std::vector<double>& without) {
  const auto more = without.end() - std::ranges::lower_bound(without, statistic);
  return (1.0 + more) / (1 + without.size());
}

struct Power {
  double seen = 0;        // fraction of the searches that detect the effect
  double difference = 0;  // mean difference between the best and the median order
};

Power PowerAt(double size, const OrderSearch& search, double episode_noise,
              const std::vector<double>& without) {
  std::vector<Power> each(kSearchesPerSize);
  ParallelFor(Cores(), each.size(), [&](size_t i, int) {
    Rng rng(kSeed + 1, RngPurpose::kNoEffect, i);
    std::vector<double> effect = DrawEffect(search.orders(), rng);
    for (double& value : effect) value *= size;
    const double p = PValue(Repeat(search, episode_noise, effect, rng), without);
    each[i] = {p <= kLargestP ? 1.0 : 0.0, BestLessMedian(effect)};
  });
  Power mean;
  for (const Power& one : each) {
    mean.seen += one.seen / kSearchesPerSize;
    mean.difference += one.difference / kSearchesPerSize;
  }
  return mean;
}

// Returns the detectable difference in units of the seeds' standard deviation.
double VisibleDifference(const OrderSearch& search, double episode_noise,
                         const std::vector<double>& without) {
  Power before;
  for (const double size : kSizes) {
    const Power power = PowerAt(size, search, episode_noise, without);
    if (power.seen >= kPower) {
      const double part = (kPower - before.seen) / (power.seen - before.seen);
      return before.difference + part * (power.difference - before.difference);
    }
    before = power;
  }
  return std::numeric_limits<double>::infinity();
}

// Fits the model in which orders make no difference.
OrderModel SeedsAlone(const OrderSearch& search) {
  return FitVariance(search.kernel(), search.Scored().values, /*order_share=*/0);
}

int MedianOf(std::span<const double> mean) {
  std::vector<int> places(mean.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, {}, [&](int i) { return mean[i]; });
  return places[places.size() / 2];
}

}  // namespace

int BelievedBest(const OrderSearch& search, std::span<const double> mean) {
  int best = -1;
  for (const Observation& one : search.Scored().values) {
    const auto value = [&](int order) { return mean[order]; };
    if (best < 0 || value(one.point) > value(best)) best = one.point;
  }
  return best;
}

std::vector<double> SearchesWithoutEffect(const OrderSearch& search, double episode_noise,
                                          int searches) {
  std::vector<double> statistics(searches);
  ParallelFor(Cores(), statistics.size(), [&](size_t i, int) {
    Rng rng(kSeed, RngPurpose::kNoEffect, i);
    statistics[i] = Repeat(search, episode_noise, {}, rng);
  });
  std::ranges::sort(statistics);
  return statistics;
}

double EpisodeNoise(const OrderSearch& search) {
  const std::vector<Observation> scores = search.Scored().values;
  if (scores.size() < 2) return 0;
  double noise = 0;
  for (const Observation& one : scores) noise += one.noise_variance;
  return noise / scores.size() / SeedsAlone(search).variance;
}

OrderEffect ExamineEffect(const OrderSearch& search, const std::vector<double>& without) {
  OrderEffect effect;
  effect.trainings = search.Scored().values.size();
  if (effect.trainings == 0) return effect;
  const std::vector<double> mean = search.Believed().mean;
  effect.best = BelievedBest(search, mean);
  effect.median = MedianOf(mean);
  const Estimate better = search.Difference(effect.best, effect.median);
  effect.better_by = better.mean;
  effect.better_by_ci95 = 1.96 * std::sqrt(better.variance);
  if (effect.trainings < kLeastTrainings) return effect;
  effect.statistic = Statistic(search);
  effect.p = PValue(effect.statistic, without);
  effect.verdict =
      effect.p <= kLargestP ? OrderEffect::Verdict::kMatters : OrderEffect::Verdict::kNotSeen;
  return effect;
}

OrderEffect ExamineEffect(const OrderSearch& search) {
  const OrderSearch::Scores scores = search.Scored();
  if (std::ssize(scores.values) < kLeastTrainings) {
    return ExamineEffect(search, {});
  }
  const double noise = EpisodeNoise(search);
  const std::vector<double> without = SearchesWithoutEffect(search, noise);
  OrderEffect effect = ExamineEffect(search, without);
  if (effect.verdict == OrderEffect::Verdict::kNotSeen) {
    effect.visible = scores.deviation * std::sqrt(SeedsAlone(search).variance) *
                     VisibleDifference(search, noise, without);
  }
  return effect;
}

}  // namespace dray
