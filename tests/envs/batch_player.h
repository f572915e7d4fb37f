#pragma once

#include <string>

#include "src/config/config.pb.h"
#include "src/envs/batch_player.h"

namespace dray {

// The config under which tests play an environment: its defaults, or smaller ones where those would
// be slow.
EnvConfig ConfigForTests(const std::string& name);

// A player of `count` environments of the registry, environment i with stream first_index + i.
BatchPlayer MakePlayer(const std::string& name, uint64_t seed, uint64_t first_index, int count);

}  // namespace dray
