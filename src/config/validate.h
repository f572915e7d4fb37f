#pragma once

#include "src/config/config.pb.h"

namespace dray {

// Rules that span several settings; each broken one is an Error of one line that says what to
// change. The range of a single setting is checked where it is read.
void Validate(const Config& config);

// The range of each setting: for settings that came as a message, past the reader of YAML.
void ValidateEach(const Config& config);

}  // namespace dray
