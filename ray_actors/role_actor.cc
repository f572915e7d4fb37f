#include "ray_actors/role_actor.h"

#include <stdexcept>

namespace dray_ray {

RoleActor::RoleActor(const char* kind, const std::string& settings,
                     const std::vector<std::string>& oracles) {
  try {
    if (!oracles.empty()) oracle_ = std::make_unique<OracleClient>(oracles);
    role_ = std::make_unique<dray_api::Role>(kind, dray_api::Bytes(settings),
                                             oracle_ == nullptr ? nullptr : oracle_->port());
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

Reply RoleActor::Forward(const char* method, const Arguments& arguments) {
  if (role_ == nullptr) throw std::runtime_error(failure_);
  Reply reply;
  try {
    role_->Call(method, arguments.payloads(), reply.sink());
  } catch (const dray_api::Error&) {
    reply.Check();  // knows better why there was no memory for the reply
    throw;
  }
  return reply;
}

}  // namespace dray_ray
