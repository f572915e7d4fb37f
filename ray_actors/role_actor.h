#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ray_actors/oracle_client.h"
#include "ray_actors/transport.h"
#include "src/api/dray.hpp"

namespace dray_ray {

// What every actor is: a role of the engine, of any kind. Calls may run side by side, as many as
// the actor was started with. A role that cannot be made says why in every call, for Ray ends an
// actor whose creation throws and drops the message.
class RoleActor {
 public:
  // `oracles`: the names of the oracle actors, for a role that asks them.
  static RoleActor* Create(std::string kind, std::string settings,
                           std::vector<std::string> oracles) {
    return new RoleActor(kind, settings, oracles);
  }

  Reply Call(const Arguments& arguments);

 private:
  RoleActor(const std::string& kind, const std::string& settings,
            const std::vector<std::string>& oracles);

  std::unique_ptr<OracleClient> oracle_;  // outlives the role
  std::unique_ptr<dray_api::Role> role_;
  std::string failure_;
};

}  // namespace dray_ray
