#include "tests/search/synthetic_objective.h"

#include <algorithm>
#include <cmath>

namespace dray {

SyntheticObjective::SyntheticObjective(const Orders& orders, uint64_t seed) {
  Rng rng(seed, RngPurpose::kTest, 1);
  const int hidden = static_cast<int>(rng.Below(static_cast<uint32_t>(orders.count())));
  const auto items = static_cast<size_t>(orders.items());
  std::vector<double> first(items), pair(items * items);
  for (double& cost : first) cost = rng.Uniform(0, 15);
  for (double& cost : pair) cost = rng.Uniform(2, 12);
  for (int i = 0; i < orders.count(); ++i) {
    const auto order = orders.At(i);
    const auto wanted = orders.At(hidden);
    double value = -first[static_cast<size_t>(order[0])];
    for (size_t a = 0; a < items; ++a) {
      for (size_t b = a + 1; b < items; ++b) {
        const auto earlier = static_cast<size_t>(order[a]), later = static_cast<size_t>(order[b]);
        const bool turned =
            std::ranges::find(wanted, order[a]) > std::ranges::find(wanted, order[b]);
        if (turned) value -= pair[earlier * items + later];
      }
    }
    truth_.push_back(value);
  }
}

int SyntheticObjective::best() const {
  return static_cast<int>(std::ranges::max_element(truth_) - truth_.begin());
}

TrialResult SyntheticObjective::Sample(int order, double episode_deviation, int64_t episodes,
                                       Rng& rng) const {
  TrialResult result;
  result.episodes = episodes;
  result.return_variance = episode_deviation * episode_deviation;
  result.mean_return = truth_[static_cast<size_t>(order)] +
                       episode_deviation / std::sqrt(static_cast<double>(episodes)) * rng.Normal();
  return result;
}

}  // namespace dray
