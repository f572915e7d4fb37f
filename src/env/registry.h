#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/env/env.h"
#include "src/env/task.h"

namespace dray {

// Adds tasks; whoever links tasks calls this before they are used (src/envs/all_tasks registers
// those of the tree). If a name is already taken, an Error, and none is added. Thread-safe.
void RegisterTasks(std::vector<Task> tasks);

// Returns every task in the order of registration; having none is a bug. Tasks live as long as the
// process.
std::vector<std::reference_wrapper<const Task>> AllTasks();
// Returns the names of all tasks but external ones, sorted.
std::vector<std::string> EnvNames();

// Returns the names of the tasks that offer this, for messages: "a, b".
template <typename Offer>
std::string TasksThatOffer(std::optional<Offer> Task::*offer) {
  std::string names;
  for (const Task& task : AllTasks()) {
    if (task.*offer) names += Cat(names.empty() ? "" : ", ", task.name);
  }
  return names;
}

// Returns a short description of a task: that of its settings in configs/REFERENCE.md.
std::string Description(const Task& task);

// Returns the heading of the task's flags in the help.
std::string FlagGroup(const Task& task);

// Inserts the tasks' own flags after the flag named `place`; a flag that several tasks share is
// inserted once.
std::vector<Flag> WithTaskFlags(std::vector<Flag> flags, std::string_view place,
                                std::vector<Flag> Task::*own);

// Returns the names of a user's own environments that tasks read, for messages: "FILE.so".
std::string OwnEnvValues();
// If the name of the config's environments is not a task's but means environments of one, such as a
// file, replaces it by that task's name and settings.
void ReadEnvName(EnvConfig* config);

// Returns the config's task; an unknown name is an Error that lists the known ones and suggests the
// nearest.
const Task& TaskOf(const EnvConfig& config);

// Makes a batch of `count` environments of the config's task.
std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count);

// Makes environments; tests pass in their own.
using EnvMaker =
    std::function<std::unique_ptr<BatchEnv>(const EnvConfig&, const EnvStreams&, int count)>;

// Returns the settings with those filled in that were left open and are given by files.
Config FollowingFiles(Config config);

// Returns the settings of a new run, including all that its environments need from other files.
Config CarryingFiles(Config config);

// Returns the spec of the environments that MakeBatchEnv would make.
EnvSpec SpecOf(const EnvConfig& config);

// Makes the side learner of the config's task; null if it has none.
std::unique_ptr<SideLearner> MakeSideLearner(const Config& config);

}  // namespace dray
