#pragma once

#include <string>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Prices routing problems for all shards; calls may run at the same time.
class OracleActor : public RoleActor {
 public:
  static OracleActor* Create(std::string settings) { return new OracleActor(settings); }

  Reply Solve(const Arguments& arguments) { return Forward("solve", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }

 private:
  explicit OracleActor(const std::string& settings) : RoleActor("oracle", settings) {}
};

}  // namespace dray_ray
