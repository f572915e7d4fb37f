#pragma once

#include <memory>
#include <string_view>

#include "src/cluster/roles/role.h"

namespace dray {

// Makes the role that an actor hosts. `settings` is a serialized RoleSettings message. Throws Error
// for an unknown kind.
std::unique_ptr<Role> MakeRole(std::string_view kind, std::string_view settings);

}  // namespace dray
