#pragma once

#include "src/config/config.pb.h"

namespace dray {

// Checks rules that span several settings. Throws a one-line Error that says what to change. The
// range of a single setting is checked when it is read.
void Validate(const Config& config);

// Checks the range of every setting, for messages that did not come from the YAML reader.
void ValidateEach(const Config& config);

}  // namespace dray
