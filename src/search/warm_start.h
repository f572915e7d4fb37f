#pragma once

#include <span>
#include <string>

#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// The checkpoint to start training this order from: that of the finished trial whose order is
// nearest (discordant pairs), of equally near ones the one with the better return, then the first.
// Empty when no trial has one.
std::string NearestCheckpoint(const Orders& orders, int order,
                              std::span<const FinishedTrial> trials);

}  // namespace dray
