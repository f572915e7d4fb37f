#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ray_actors/oracle_client.h"
#include "ray_actors/transport.h"
#include "src/api/dray.hpp"

namespace dray_ray {

// What all actors are: a role of the engine. A role that cannot be made says why in every call, for
// Ray ends an actor whose creation throws and drops the message.
class RoleActor {
 protected:
  RoleActor(const char* kind, const std::string& settings,
            const std::vector<std::string>& oracles = {});

  Reply Forward(const char* method, const Arguments& arguments);

 private:
  std::unique_ptr<OracleClient> oracle_;  // outlives the role
  std::unique_ptr<dray_api::Role> role_;
  std::string failure_;
};

}  // namespace dray_ray
