#pragma once

#include <string>
#include <vector>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Steps its environments with the newest weights; a batch for each call.
class EnvShardActor : public RoleActor {
 public:
  static EnvShardActor* Create(std::string settings, std::vector<std::string> oracles) {
    return new EnvShardActor(settings, oracles);
  }

  Reply Collect(const Arguments& arguments) { return Forward("collect", arguments); }
  Reply Summary(const Arguments& arguments) { return Forward("summary", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }
  Reply Save(const Arguments& arguments) { return Forward("save", arguments); }
  Reply Load(const Arguments& arguments) { return Forward("load", arguments); }

 private:
  EnvShardActor(const std::string& settings, const std::vector<std::string>& oracles)
      : RoleActor("env_shard", settings, oracles) {}
};

}  // namespace dray_ray
