#pragma once

#include <string_view>

#include "src/cluster/roles/messages.pb.h"

namespace dray {

// What roles are sent, from bytes. Numbers that no role can work with are an Error here, so that
// nothing behind has to ask again.
RoleSettings ReceivedSettings(std::string_view bytes);
CallHeader ReceivedHeader(std::string_view bytes);

}  // namespace dray
