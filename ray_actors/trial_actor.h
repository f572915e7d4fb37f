#pragma once

#include <string>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Carries a whole training out, one of many of a search.
class TrialActor : public RoleActor {
 public:
  static TrialActor* Create(std::string settings) { return new TrialActor(settings); }

  Reply Train(const Arguments& arguments) { return Forward("train", arguments); }
  Reply Stop(const Arguments& arguments) { return Forward("stop", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }

 private:
  explicit TrialActor(const std::string& settings) : RoleActor("trial", settings) {}
};

}  // namespace dray_ray
