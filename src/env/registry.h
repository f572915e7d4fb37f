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
// Returns the names of all tasks, sorted.
std::vector<std::string> EnvNames();

// The names of those that offer this, for messages: "a, b".
template <typename Offer>
std::string TasksThatOffer(std::optional<Offer> Task::*offer) {
  std::string names;
  for (const Task& task : AllTasks()) {
    if (task.*offer) names += Cat(names.empty() ? "" : ", ", task.name);
  }
  return names;
}

// What a task is, in a clause: the words of its settings in configs/REFERENCE.md.
std::string Description(const Task& task);

// The heading that flags of this task have in the help.
std::string FlagGroup(const Task& task);

// A command's flags, with the tasks' own behind the one of the name `place`; a flag that several
// tasks share, once.
std::vector<Flag> WithTaskFlags(std::vector<Flag> flags, std::string_view place,
                                std::vector<Flag> Task::*own);

// The config's task; an unknown name is an Error that lists the known ones (and the nearest one).
const Task& TaskOf(const EnvConfig& config);

// A batch of `count` environments as the config asks.
std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count);

// Who makes the environments; tests may hand in their own.
using EnvMaker =
    std::function<std::unique_ptr<BatchEnv>(const EnvConfig&, const EnvStreams&, int count)>;

// The settings with what was left open and files say.
Config FollowingFiles(Config config);

// The settings of a run that is to begin, with all that its environments need of files elsewhere.
Config CarryingFiles(Config config);

// What MakeBatchEnv's environments would say of themselves.
EnvSpec SpecOf(const EnvConfig& config);

// What learns beside the policy in the config's task, or null when nothing does.
std::unique_ptr<SideLearner> MakeSideLearner(const Config& config);

}  // namespace dray
