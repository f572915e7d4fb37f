#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace dray {

// Moves settings that were written in a former way to where they are now: those of a group with the
// option split, in `message` or below it, once the `name` beside the group is the group's own or
// the new one. A setting that the new group does not have must be at its default; otherwise throws
// an Error that begins with `where`.
void MoveFormerSettings(const std::string& where, google::protobuf::Message* message);

}  // namespace dray
