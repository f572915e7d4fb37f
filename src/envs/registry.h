#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/task.h"

namespace dray {

// Every task, in the order of envs.bzl.
const std::vector<Task>& AllTasks();
// Their names, sorted.
std::vector<std::string> EnvNames();
// The names of those that offer something, for an Error that says who does: "a, b".
std::string NamesOfTasks(bool (*offer)(const Task& task));

// The config's task; an unknown name is an Error that lists the known ones (and the nearest one).
const Task& TaskOf(const EnvConfig& config);

// A batch of `count` environments as the config asks.
std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count);

// Who makes the environments; tests may hand in their own.
using EnvMaker =
    std::function<std::unique_ptr<BatchEnv>(const EnvConfig&, const EnvStreams&, int count)>;

// What MakeBatchEnv's environments would say of themselves.
EnvSpec SpecOf(const EnvConfig& config);

// What learns beside the policy in the config's task, or null when nothing does.
std::unique_ptr<SideLearner> MakeSideLearner(const Config& config);

}  // namespace dray
