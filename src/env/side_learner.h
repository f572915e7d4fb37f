#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dray {

// A role that learns beside the policy from samples that environments take in their rollouts, and
// publishes a model for them to use. Not thread-safe.
class SideLearner {
 public:
  virtual ~SideLearner() = default;

  // Adds the samples of a rollout (BatchEnv::TakeSideSamples).
  virtual void Add(std::string_view samples) = 0;
  // Learns from everything added; returns lines for a person about the result.
  virtual std::vector<std::string> Update() = 0;
  // Returns the model for RolloutContext::side_model; it carries its own version.
  virtual std::string Publish() const = 0;

  // True if rollouts wait for an update.
  virtual bool synchronous() const = 0;
  // Number of epochs between updates.
  virtual int update_epochs() const = 0;

  virtual std::string Save() const = 0;
  virtual void Load(std::string_view state) = 0;
};

}  // namespace dray
