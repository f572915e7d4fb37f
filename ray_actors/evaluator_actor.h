#pragma once

#include <string>
#include <vector>

#include "ray_actors/role_actor.h"

namespace dray_ray {

// Plays episodes with given weights, deterministically.
class EvaluatorActor : public RoleActor {
 public:
  static EvaluatorActor* Create(std::string settings, std::vector<std::string> oracles) {
    return new EvaluatorActor(settings, oracles);
  }

  Reply Evaluate(const Arguments& arguments) { return Forward("evaluate", arguments); }
  Reply Heartbeat(const Arguments& arguments) { return Forward("heartbeat", arguments); }

 private:
  EvaluatorActor(const std::string& settings, const std::vector<std::string>& oracles)
      : RoleActor("evaluator", settings, oracles) {}
};

}  // namespace dray_ray
