#pragma once

#include <string>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Learns from batches and publishes weights.
class LearnerActor : public RoleActor {
 public:
  static LearnerActor* Create(std::string settings) { return new LearnerActor(settings); }

  Reply Update(const Arguments& arguments) { return Forward("update", arguments); }
  Reply Summary(const Arguments& arguments) { return Forward("summary", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }
  Reply Publish(const Arguments& arguments) { return Forward("publish", arguments); }
  Reply Export(const Arguments& arguments) { return Forward("export", arguments); }
  Reply Save(const Arguments& arguments) { return Forward("save", arguments); }
  Reply Load(const Arguments& arguments) { return Forward("load", arguments); }

 private:
  explicit LearnerActor(const std::string& settings) : RoleActor("learner", settings) {}
};

}  // namespace dray_ray
