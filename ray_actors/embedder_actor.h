#pragma once

#include <string>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Trains the flexibility model beside the learner.
class EmbedderActor : public RoleActor {
 public:
  static EmbedderActor* Create(std::string settings) { return new EmbedderActor(settings); }

  Reply Add(const Arguments& arguments) { return Forward("add", arguments); }
  Reply Update(const Arguments& arguments) { return Forward("update", arguments); }
  Reply Publish(const Arguments& arguments) { return Forward("publish", arguments); }
  Reply Save(const Arguments& arguments) { return Forward("save", arguments); }
  Reply Load(const Arguments& arguments) { return Forward("load", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }

 private:
  explicit EmbedderActor(const std::string& settings) : RoleActor("embedder", settings) {}
};

}  // namespace dray_ray
