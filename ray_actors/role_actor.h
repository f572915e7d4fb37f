#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ray_actors/oracle_client.h"
#include "ray_actors/transport.h"
#include "src/api/dray.hpp"

namespace dray_ray {

// The only type of actor: hosts a role of the engine, of any kind. Calls may run concurrently, up
// to the concurrency that the actor was started with. If the role cannot be created, every call
// throws the reason, because Ray ends an actor whose creation throws and drops the message.
class RoleActor {
 public:
  // `oracles` are the names of the oracle actors, for a role that calls them.
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
