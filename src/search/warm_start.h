#pragma once

#include <span>
#include <string>

#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// Returns the checkpoint to start training this order from: that of the finished trial with the
// nearest order (by discordant pairs), on ties the one with the better return, then the first.
// Empty if no trial has one.
std::string NearestCheckpoint(const Orders& orders, int order,
                              std::span<const FinishedTrial> trials);

}  // namespace dray
