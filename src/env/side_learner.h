#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dray {

// A role: learns beside the policy, from samples that environments take in their
// rollouts, and publishes a model that they go by from then on. One thread at a time.
class SideLearner {
 public:
  virtual ~SideLearner() = default;

  // BatchEnv::TakeSideSamples of a rollout.
  virtual void Add(std::string_view samples) = 0;
  // Learns from all that was added; what came of it, in lines for a person.
  virtual std::vector<std::string> Update() = 0;
  // RolloutContext::side_model from now on; carries its own version.
  virtual std::string Publish() const = 0;

  // Whether rollouts wait for an update; and how many epochs there are from one to the next.
  virtual bool synchronous() const = 0;
  virtual int update_epochs() const = 0;

  virtual std::string Save() const = 0;
  virtual void Load(std::string_view state) = 0;
};

}  // namespace dray
