#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/env/side_learner.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/flexibility_model.h"

namespace dray::dvrptw {

// Runs the flexibility model as the task's side learner: choices of riders in, beliefs out.
class FlexibilityLearner : public SideLearner {
 public:
  FlexibilityLearner(const DvrptwConfig& config, uint64_t seed);

  void Add(std::string_view samples) override;
  std::vector<std::string> Update() override;
  std::string Publish() const override;
  bool synchronous() const override { return config_.synchronous(); }
  int update_epochs() const override { return config_.update_epochs(); }
  std::string Save() const override;
  void Load(std::string_view state) override;

 private:
  const FlexibilityConfig config_;
  FlexibilityModel model_;
  FlexibilityReport told_;  // report of the last update in this process
};

}  // namespace dray::dvrptw
