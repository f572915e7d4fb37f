#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/env.h"

namespace dray {

// The names of all environments, sorted.
std::vector<std::string> EnvNames();

// A batch of `count` environments as the config asks; an unknown name is an Error that lists the
// known ones (and the nearest one).
std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count);

// Who makes the environments; tests may hand in their own.
using EnvMaker =
    std::function<std::unique_ptr<BatchEnv>(const EnvConfig&, const EnvStreams&, int count)>;

// What MakeBatchEnv's environments would say of themselves.
EnvSpec SpecOf(const EnvConfig& config);

}  // namespace dray
