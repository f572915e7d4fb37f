#pragma once

#include <string>

#include "src/envs/cage2/record.h"

namespace dray::cage2 {

// One step in words: who did what, what blue saw, what it cost.
std::string StoryOf(int step, int blue_action, const StepRecord& record, const Network& network);

}  // namespace dray::cage2
