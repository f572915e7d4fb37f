#pragma once

#include <functional>
#include <string>

#include "src/config/config.pb.h"
#include "src/loop/checkpoint.h"

namespace dray {

// The flag or file that a setting comes from, for messages.
using SettingSource = std::function<std::string(const std::string& path)>;

// An Error when a run with this config cannot go on from the checkpoint: a setting changed that
// may not.
void CheckResumable(const Checkpoint& checkpoint, const Config& config,
                    const SettingSource& where_set);

}  // namespace dray
