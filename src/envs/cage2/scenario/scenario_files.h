#pragma once

#include <string>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// The setting env.cage2.scenario is one of three: the name of the shipped scenario, a file (or its
// bare name in configs/scenarios), or the text of one.

// Its network, read once in a process and kept. An Error when there is no such file, or the rules
// cannot express what it says.
const Network& NetworkOf(const std::string& scenario);

// The same setting for use where its file is not at hand: a file becomes its text, together with
// the images that it names, under the key Images.
std::string SelfContained(const std::string& scenario);

bool IsShipped(const std::string& scenario);

}  // namespace dray::cage2
