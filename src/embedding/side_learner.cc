#include "src/embedding/side_learner.h"

#include "src/embedding/flexibility_learner.h"
#include "src/envs/dvrptw/dvrptw.pb.h"

namespace dray {

std::unique_ptr<SideLearner> MakeSideLearner(const Config& config) {
  if (config.env().name() != "dvrptw") return nullptr;
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  if (deliveries.mode() != DvrptwConfig::NEGOTIATE ||
      deliveries.flexibility().belief() == FlexibilityConfig::TRUE_TYPES) {
    return nullptr;
  }
  return std::make_unique<FlexibilityLearner>(deliveries, config.train().seed());
}

}  // namespace dray
