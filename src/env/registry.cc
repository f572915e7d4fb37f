#include "src/env/registry.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/config/fields.h"

namespace dray {

namespace {

struct Registry {
  std::mutex mutex;
  std::deque<Task> tasks;  // grows without moving its elements
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

void ExpectFreeNames(const std::deque<Task>& taken, const std::vector<Task>& added) {
  std::set<std::string_view> names;
  for (const Task& task : taken) names.insert(task.name);
  for (const Task& task : added) {
    if (!names.insert(task.name).second) {
      throw UsageError("there is already a task \"", task.name, "\": give yours another name");
    }
  }
}

Error UnknownName(const std::string& name) {
  const std::vector<std::string> known = EnvNames();
  const std::string nearest = NearestName(name, known);
  std::string message = "unknown environment \"" + name + "\": ";
  if (!nearest.empty()) message += "did you mean \"" + nearest + "\"? ";
  message += "Known: ";
  for (size_t i = 0; i < known.size(); ++i) message += (i > 0 ? ", " : "") + known[i];
  const std::string own = OwnEnvValues();
  if (!own.empty()) message += "; your own: " + own;
  return UsageError(message);
}

}  // namespace

void RegisterTasks(std::vector<Task> tasks) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  ExpectFreeNames(registry.tasks, tasks);
  std::ranges::move(tasks, std::back_inserter(registry.tasks));
}

std::vector<std::reference_wrapper<const Task>> AllTasks() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  DRAY_CHECK(!registry.tasks.empty() && "no task is registered: call RegisterAllTasks() first");
  return {registry.tasks.begin(), registry.tasks.end()};
}

std::string Description(const Task& task) {
  const auto* field = FindField(*EnvConfig::descriptor(), std::string(task.name));
  return field == nullptr ? "" : RuleOf(*field).doc();
}

std::string FlagGroup(const Task& task) { return Cat(task.name, ": ", Description(task)); }

std::vector<Flag> WithTaskFlags(std::vector<Flag> flags, std::string_view place,
                                std::vector<Flag> Task::*own) {
  const std::vector<Flag> of_command = flags;
  auto at = std::ranges::find(flags, place, &Flag::name);
  DRAY_CHECK(at != flags.end());
  for (const Task& task : AllTasks()) {
    for (const Flag& flag : task.*own) {
      DRAY_CHECK(FindFlag(of_command, flag.name) == nullptr);
      if (FindFlag(flags, flag.name) != nullptr) continue;
      at = flags.insert(at + 1, flag);
      at->group = FlagGroup(task);
    }
  }
  return flags;
}

std::vector<std::string> EnvNames() {
  std::vector<std::string> names;
  for (const Task& task : AllTasks()) {
    if (!task.external) names.emplace_back(task.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string OwnEnvValues() {
  std::string values;
  for (const Task& task : AllTasks()) {
    if (task.env_flag_values.empty()) continue;
    values += Cat(values.empty() ? "" : ", ", task.env_flag_values);
  }
  return values;
}

void ReadEnvName(EnvConfig* config) {
  const std::string name = config->name();
  const auto tasks = AllTasks();
  if (std::ranges::any_of(tasks, [&](const Task& task) { return task.name == name; })) return;
  for (const Task& task : tasks) {
    if (task.read_env_flag != nullptr && task.read_env_flag(name, config)) return;
  }
}

const Task& TaskOf(const EnvConfig& config) {
  for (const Task& task : AllTasks()) {
    if (task.name == config.name()) return task;
  }
  throw UnknownName(config.name());
}

std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count) {
  DRAY_CHECK_GE(count, 1);
  return TaskOf(config).make_envs(config, streams, count);
}

Config FollowingFiles(Config config) {
  const Task& task = TaskOf(config.env());
  if (task.follow_files != nullptr) task.follow_files(config.mutable_env());
  return config;
}

Config CarryingFiles(Config config) {
  const Task& task = TaskOf(config.env());
  config = FollowingFiles(std::move(config));
  if (task.carry_files != nullptr) task.carry_files(config.mutable_env());
  return config;
}

EnvSpec SpecOf(const EnvConfig& config) { return MakeBatchEnv(config, {}, 1)->spec(); }

std::unique_ptr<SideLearner> MakeSideLearner(const Config& config) {
  const Task& task = TaskOf(config.env());
  return task.make_side_learner ? task.make_side_learner(config) : nullptr;
}

}  // namespace dray
