#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "src/search/order_effect.h"
#include "tests/search/planted_search.h"

namespace dray {
namespace {

constexpr int kSearches = 300;
constexpr int kTrainings = 40;

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Outcome {
  int seen = 0;     // searches in which the order is said to matter
  double gain = 0;  // what the best order is truly worth above the median one, on average
};

Outcome Play(const PlantedSearches& planted, const std::vector<double>& without, double deviation) {
  Outcome outcome;
  for (uint64_t seed = 1; seed <= kSearches; ++seed) {
    const std::vector<double> effect = planted.Effect(deviation, seed);
    const OrderEffect found =
        ExamineEffect(planted.Search(effect, kTrainings, 5000 + seed), without);
    if (found.verdict == OrderEffect::Verdict::kMatters) ++outcome.seen;
    outcome.gain += (effect[static_cast<size_t>(found.best)] - MedianOf(effect)) / kSearches;
  }
  return outcome;
}

// How many searches with these settings see an effect of half and of one of the seeds' standard
// deviations; one of 0 is hardly ever seen.
int SeenWith(const char* name, const SearchConfig& config) {
  const PlantedSearches planted(config);
  const std::vector<double> without = SearchesWithoutEffect(
      planted.Search(planted.Effect(0, 1), kTrainings, 1), PlantedSearches::kEpisodeNoise);
  const Outcome none = Play(planted, without, 0), half = Play(planted, without, 0.5),
                one = Play(planted, without, 1);
  std::printf("%-24s seen in %3d, %3d and %3d of %d searches; best above median by %.2f, %.2f\n",
              name, none.seen, half.seen, one.seen, kSearches, half.gain, one.gain);
  EXPECT_LE(none.seen, 0.07 * kSearches) << name;
  return half.seen + one.seen;
}

TEST(OrderPower, TheDefaultsSeeMoreThanSrinivas) {
  std::printf("%d trainings; effects of 0, 0.5 and 1 standard deviations of the seeds\n",
              kTrainings);
  SearchConfig config;
  const int defaults = SeenWith("beta 2, initial 8", config);
  EXPECT_GE(defaults, 1.2 * kSearches);
  config.set_initial(16);
  SeenWith("beta 2, initial 16", config);
  config.set_initial(8);
  config.set_beta(SearchConfig::SRINIVAS);
  EXPECT_LT(SeenWith("srinivas, initial 8", config), defaults);
}

}  // namespace
}  // namespace dray
