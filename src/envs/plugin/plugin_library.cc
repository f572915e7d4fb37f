#include "src/envs/plugin/plugin_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

// More would not fit into the memory of a run.
constexpr int32_t kMostNumbers = 1 << 24;
constexpr size_t kMostLetters = 64;

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

bool IsName(const char* name) {
  if (name == nullptr) return false;
  const std::string_view text(name);
  return !text.empty() && text.size() <= kMostLetters &&
         std::ranges::all_of(text, [](unsigned char letter) {
           return std::isalnum(letter) || letter == '_' || letter == '-';
         });
}

// Throws an Error about a member of the spec.
template <typename... Parts>
[[noreturn]] void RefuseSpec(const std::string& path, const Parts&... parts) {
  throw UsageError(path, ": its dray_env_spec has ", parts...);
}

void ExpectRange(const std::string& path, const char* member, int32_t value, int32_t least) {
  if (value >= least && value <= kMostNumbers) return;
  RefuseSpec(path, member, " ", value, "; it must be from ", least, " to ", kMostNumbers);
}

ActionSpace ActionsOf(const std::string& path, const dray_env_spec& given) {
  ExpectRange(path, "action_count", given.action_count, 0);
  if (given.action_count > 0) return ActionSpace::Discrete(given.action_count);
  ExpectRange(path, "action_values", given.action_values, 1);
  if (given.action_low == nullptr || given.action_high == nullptr) {
    RefuseSpec(path, "action_values but not both action_low and action_high");
  }
  try {
    return ActionSpace::Box({given.action_low, given.action_low + given.action_values},
                            {given.action_high, given.action_high + given.action_values});
  } catch (const Error& error) {
    throw UsageError(path, ": ", error.what());
  }
}

std::vector<std::string> StatsOf(const std::string& path, const dray_env_spec& given) {
  ExpectRange(path, "stat_count", given.stat_count, 0);
  std::vector<std::string> names;
  for (int32_t i = 0; i < given.stat_count; ++i) {
    if (given.stat_names == nullptr || !IsName(given.stat_names[i]) ||
        std::ranges::count(names, given.stat_names[i]) > 0) {
      RefuseSpec(path, "no valid stat_names[", i,
                 "]; names are unique and have letters, digits, _ and -");
    }
    names.emplace_back(given.stat_names[i]);
  }
  return names;
}

}  // namespace

const dray_env_table& LoadPlugin(const std::string& path) {
  if (path.empty()) {
    throw UsageError(
        "env.plugin.library: name the library with the environments: --env ./libmy_env.so");
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw UsageError(path, ": no such library on ", HostName(),
                     "; compile it, or put it there on every machine of the run");
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw UsageError("the library cannot be loaded: ", dlerror());
  using Entry = const dray_env_table* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "dray_env"));
  if (entry == nullptr) {
    throw UsageError(path, ": exports no function dray_env; dray_env.h says what it must return");
  }
  const dray_env_table* table = entry();
  if (table == nullptr) throw UsageError(path, ": its dray_env returns no table");
  if (table->version != DRAY_ENV_VERSION) {
    throw UsageError(path, ": is made for version ", table->version,
                     " of dray_env.h, this Dray has version ", DRAY_ENV_VERSION,
                     "; compile it with this Dray's header");
  }
  if (table->size != sizeof(dray_env_table)) {
    throw UsageError(path, ": its table has ", table->size, " bytes instead of ",
                     sizeof(dray_env_table),
                     "; set size to sizeof(dray_env_table) and compile it with this Dray's header");
  }
  for (const auto& [name, missing] : {std::pair("create", table->create == nullptr),
                                      {"destroy", table->destroy == nullptr},
                                      {"reset", table->reset == nullptr},
                                      {"step", table->step == nullptr}}) {
    if (missing) throw UsageError(path, ": its table has no function ", name);
  }
  if ((table->save == nullptr) != (table->load == nullptr)) {
    throw UsageError(path, ": its table has only one of save and load; give both or neither");
  }
  return *table;
}

EnvSpec SpecOfPlugin(const std::string& path, const dray_env_table& table,
                     const dray_env_spec& given) {
  if (!IsName(given.name)) {
    RefuseSpec(path, "no valid name; it has 1 to ", kMostLetters, " letters, digits, _ and -");
  }
  ExpectRange(path, "observation_size", given.observation_size, 1);
  ExpectRange(path, "max_episode_steps", given.max_episode_steps, 1);
  ExpectRange(path, "token_count", given.token_count, 0);
  ExpectRange(path, "token_size", given.token_size, given.token_count > 0 ? 1 : 0);
  if (int64_t{given.token_count} * given.token_size > given.observation_size) {
    RefuseSpec(path, given.token_count, " tokens of ", given.token_size,
               " numbers, more than an observation of ", given.observation_size);
  }
  EnvSpec spec{.name = given.name,
               .observation_size = given.observation_size,
               .tokens = {given.token_count, given.token_size},
               .actions = ActionsOf(path, given),
               .max_episode_steps = given.max_episode_steps,
               .fixed_length = given.fixed_length != 0,
               .masked = given.masked != 0,
               .episode_stats = StatsOf(path, given)};
  if (spec.masked && !spec.actions.discrete()) {
    RefuseSpec(path, "masked actions in a box; only discrete actions can be masked");
  }
  if (!spec.episode_stats.empty() && table.episode_stats == nullptr) {
    throw UsageError(path, ": names statistics, but its table has no function episode_stats");
  }
  return spec;
}

}  // namespace dray
