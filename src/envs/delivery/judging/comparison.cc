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

Progress ComparisonOptions::Begin(const std::string& stage) const {
  const Progress report = [this, stage](int done, int of) {
    if (progress) progress(stage, done, of);
  };
  report(0, 1);
  return report;
}

}  // namespace dray::delivery
