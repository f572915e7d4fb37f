#pragma once

#include <functional>
#include <string>

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/scenario/entry.h"

namespace dray::cage2 {

// Returns the image file of a name, for ReadImage. `asked` is the entry that names it.
using ImageSource = std::function<Entry(const std::string& name, const Entry& asked)>;

// Reads the network of a scenario in CybORG's format: Agents, Hosts and Subnets. Throws an Error
// that names the file, line and key if the rules of the game cannot express something. Ignores keys
// that have no effect on them.
Network ReadNetwork(const Entry& scenario, const ImageSource& images);

}  // namespace dray::cage2
