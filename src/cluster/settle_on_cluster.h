#pragma once

#include <string>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/config/config.pb.h"

namespace dray {

// Chooses what the config leaves open for a GPU, by trials in an actor that has one: the GPU may be
// on another node than this process. Returns one line per choice; a trial that fails is a line,
// too, and leaves the config as it was. Does nothing if the cluster has no free GPU, or the config
// wants none.
std::vector<std::string> SettleOnCluster(Cluster& cluster, int workers, Config* config);

}  // namespace dray
