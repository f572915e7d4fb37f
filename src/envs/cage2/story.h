#pragma once

#include <string>

#include "src/envs/cage2/record.h"

namespace dray::cage2 {

// Describes a step in words: the actions, what blue saw, and the cost.
std::string StoryOf(int step, int blue_action, const StepRecord& record, const Network& network);

}  // namespace dray::cage2
