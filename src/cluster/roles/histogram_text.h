#pragma once

#include <string>
#include <string_view>

#include "src/cluster/roles/messages.pb.h"

namespace dray {

// What an oracle's actor has done so far, in one line for a person: "oracle-0: 1,234 calls, 56,789
// problems, batches of 1: 3%, 2-7: 1.2%, 8-31: 9%, 32: 87%". The largest batch allowed stands by
// itself, and sizes that never came are left out.
std::string HistogramText(std::string_view actor, const HeartbeatReply& beat);

}  // namespace dray
