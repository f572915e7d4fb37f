#include "src/envs/delivery/judging/comparison.h"

namespace dray::delivery {

std::vector<std::string> ComparisonOptions::Policies(const std::string& reference) const {
  std::vector<std::string> policies = {reference};
  for (const std::string& name : baselines) {
    if (std::ranges::find(policies, name) == policies.end()) policies.push_back(name);
  }
  if (!weights.empty()) policies.push_back("learned");
  return policies;
}

}  // namespace dray::delivery
