#include "ray_actors/role_actor.h"

#include <stdexcept>

namespace dray_ray {

RoleActor::RoleActor(const std::string& kind, const std::string& settings,
                     const std::vector<std::string>& oracles) {
  try {
    if (!oracles.empty()) oracle_ = std::make_unique<OracleClient>(oracles);
    role_ = std::make_unique<dray_api::Role>(kind.c_str(), dray_api::Bytes(settings),
                                             oracle_ == nullptr ? nullptr : oracle_->port());
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

Reply RoleActor::Call(const Arguments& arguments) {
  if (role_ == nullptr) throw std::runtime_error(failure_);
  Reply reply;
  try {
    role_->Call(arguments.method().c_str(), arguments.payloads(), reply.sink());
  } catch (const dray_api::Error&) {
    reply.Check();  // throws the precise reason if there was no memory for the reply
    throw;
  }
  return reply;
}

}  // namespace dray_ray

using dray_ray::RoleActor;  // Ray registers the names as they are written here

RAY_REMOTE(RoleActor::Create, &RoleActor::Call)
