#include <gtest/gtest.h>

#include <cstdio>

#include "src/search/order_effect.h"
#include "tests/search/planted_search.h"

namespace dray {
namespace {

constexpr int kSearches = 300;
constexpr int kTrainings = 40;

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

// How many searches with these settings see an effect of one of the seeds' standard deviations; one
// of 0 is hardly ever seen.
Outcome SeenWith(const char* name, const SearchConfig& config) {
  const PlantedSearches planted(config);
  const std::vector<double> without = SearchesWithoutEffect(
      planted.Search(planted.Effect(0, 1), kTrainings, 1), PlantedSearches::kEpisodeNoise);
  const Outcome none = Play(planted, without, 0), half = Play(planted, without, 0.5),
                one = Play(planted, without, 1);
  std::printf("%-24s seen in %3d, %3d and %3d of %d searches; best above median by %.2f, %.2f\n",
              name, none.seen, half.seen, one.seen, kSearches, half.gain, one.gain);
  EXPECT_LE(none.seen, 0.05 * kSearches) << name;
  return one;
}

TEST(OrderPower, TheDefaultsSeeMoreThanSrinivas) {
  std::printf("%d trainings; effects of 0, 0.5 and 1 standard deviations of the seeds\n",
              kTrainings);
  SearchConfig config;
  const Outcome defaults = SeenWith("beta 2, 2 of 5 at random", config);
  EXPECT_GE(defaults.seen, 0.9 * kSearches);
  config.set_random_share(0.2);
  EXPECT_LE(SeenWith("beta 2, 1 of 5 at random", config).seen, defaults.seen);
  config.set_random_share(0.4);
  config.set_beta(SearchConfig::SRINIVAS);
  EXPECT_LT(SeenWith("srinivas, 2 of 5 at random", config).seen, defaults.seen);
}

}  // namespace
}  // namespace dray
