#pragma once

#include <string_view>

#include "src/cluster/roles/messages.pb.h"

namespace dray {

// Parse the messages sent to roles. Numbers that no role can work with are an Error, so that roles
// need no further checks.
RoleSettings ReceivedSettings(std::string_view bytes);
CallHeader ReceivedHeader(std::string_view bytes);

}  // namespace dray
