#pragma once

#include <string>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// The setting env.cage2.scenario is the name of the shipped scenario, a file (or its bare name in
// configs/scenarios), or the text of one.

// Returns the scenario's network, read once per process. Throws an Error if there is no such file
// or the rules cannot express it.
const Network& NetworkOf(const std::string& scenario);

// Returns the setting in a form that needs no files: a file becomes its text, with the images that
// it names under the key Images.
std::string SelfContained(const std::string& scenario);

bool IsShipped(const std::string& scenario);

}  // namespace dray::cage2
