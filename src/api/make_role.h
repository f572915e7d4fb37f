#pragma once

#include <memory>
#include <string_view>

#include "src/cluster/roles/role.h"

namespace dray {

// Makes the role that an actor is to host. `settings` is a RoleSettings message. Unknown kinds are
// Errors.
std::unique_ptr<Role> MakeRole(std::string_view kind, std::string_view settings);

}  // namespace dray
