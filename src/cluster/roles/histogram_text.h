#pragma once

#include <string>
#include <string_view>

#include "src/cluster/roles/messages.pb.h"

namespace dray {

// Summarises the work of an oracle's actor in one line: "oracle-0: 1,234 calls, 56,789 problems,
// batches of 1: 3%, 2-7: 1.2%, 8-31: 9%, 32: 87%". The largest batch allowed has its own entry, and
// sizes that never occurred are left out.
std::string HistogramText(std::string_view actor, const HeartbeatReply& beat);

}  // namespace dray
