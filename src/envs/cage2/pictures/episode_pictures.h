#pragma once

#include <span>
#include <string>

#include "src/envs/cage2/frame.h"

namespace dray::cage2 {

// Hosts by steps: what red held, whom it attacked, what blue did where, and what each step cost;
// with a workflow, which fixes complied. An SVG document; at least one frame.
std::string TimelinePicture(std::span<const Frame> frames, const Network& network,
                            const std::string& title);

// The network: the subnets and their hosts, how long red held each, the way it took (the first
// break-in of each host, numbered by step), and how often blue fixed them.
std::string NetworkPicture(std::span<const Frame> frames, const Network& network,
                           const std::string& title);

}  // namespace dray::cage2
