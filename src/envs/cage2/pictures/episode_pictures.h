#pragma once

#include <span>
#include <string>

#include "src/envs/cage2/frame.h"

namespace dray::cage2 {

// Draws hosts by steps as an SVG document: the hosts red held and attacked, blue's actions and the
// cost of each step; with a workflow, the fixes that complied. Needs at least one frame.
std::string TimelinePicture(std::span<const Frame> frames, const Network& network,
                            const std::string& title);

// Draws the network: subnets and hosts, how long red held each host, the path it took (the first
// break-in of each host, numbered by step), and how often blue fixed each host.
std::string NetworkPicture(std::span<const Frame> frames, const Network& network,
                           const std::string& title);

}  // namespace dray::cage2
