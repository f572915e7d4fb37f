#pragma once

#include <functional>
#include <string>

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// The image of a name, as ReadImage takes it; `asked` is where the scenario names it.
using ImageSource = std::function<Entry(const std::string& name, const Entry& asked)>;

// The network of a scenario in CybORG's own format: Agents, Hosts and Subnets. What the rules of
// the game cannot express is an Error that names the file, the line and the key; keys that change
// nothing in them are passed over.
Network ReadNetwork(const Entry& scenario, const ImageSource& images);

}  // namespace dray::cage2
