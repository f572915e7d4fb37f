#include <cmath>
#include <iostream>

#include "src/base/error.h"
#include "src/base/stopwatch.h"
#include "src/commands/run_arguments.h"
#include "src/config/command.h"
#include "src/env/registry.h"
#include "src/envs/batch_player.h"
#include "src/envs/conformance.h"
#include "src/envs/plugin/header_text.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr int kSpeedEnvs = 64;
constexpr double kSpeedTime_s = 1;

void PrintSpec(const EnvSpec& spec) {
  std::cout << spec.name << ": " << FormatCounted(spec.observation_size, "number")
            << " per observation, "
            << (spec.actions.discrete()
                    ? FormatCounted(spec.actions.count, "action")
                    : FormatCounted(std::ssize(spec.actions.low), "action value"))
            << (spec.masked ? ", masked" : "") << ", "
            << (spec.fixed_length ? "exactly " : "at most ")
            << FormatCounted(spec.max_episode_steps, "step") << " per episode\n";
}

// Checks the properties one by one and returns the number of those that are missing.
int CheckProperties(const EnvConfig& config) {
  int failed = 0;
  for (const EnvProperty& property : EnvProperties()) {
    try {
      property.check(config);
      std::cout << "passed  " << property.name << std::endl;
    } catch (const Error& error) {
      std::cout << (property.optional ? "note    not: " : "FAILED  ") << property.name << ": "
                << error.what() << std::endl;
      if (!property.optional) ++failed;
    }
  }
  return failed;
}

// Measures random steps on one core, including the choice of the actions.
double StepsPerSecond(const EnvConfig& config) {
  BatchPlayer player(MakeBatchEnv(config, {}, kSpeedEnvs), {});
  player.Reset();
  int64_t steps = 0;
  const Stopwatch watch;
  while (watch.seconds() < kSpeedTime_s) {
    player.Step();
    steps += kSpeedEnvs;
    player.env->TakeEpisodes();
  }
  return static_cast<double>(steps) / watch.seconds();
}

void CheckEnvCommand(const GivenFlags& given) {
  if (given.Has("header")) {
    std::cout << PluginHeaderText() << std::flush;
    return;
  }
  if (!given.Has("env") && !given.Has("config")) {
    throw UsageError("check_env: name the environment: --env ./libmy_env.so");
  }
  const EnvConfig config = CarryingFiles(ReadRunArguments(given, kOwnEnvConfig).config).env();
  PrintSpec(SpecOf(config));
  const int failed = CheckProperties(config);
  if (failed > 0) {
    throw Failure(given.Has("env") ? given.Text("env") : config.name(), ": lacks ", failed, " of ",
                  EnvProperties().size(), " properties");
  }
  std::cout << "speed   " << FormatCount(std::llround(StepsPerSecond(config)))
            << " steps/s with random actions on one core\n";
}

std::vector<Flag> CheckEnvFlags() {
  using enum FlagForm;
  return {EnvFlag("Environment to check: a built-in task"),
          {.name = "config",
           .form = kPath,
           .value = "FILE",
           .help = "YAML file with settings, or the name of a preset in configs/"},
          kSetFlag,
          {.name = "header",
           .form = kSwitch,
           .help = "Print dray_env.h, the header for environments in C and C++, and exit"},
          kHelpFlag};
}

}  // namespace

namespace commands {
Command check_env() {
  return {.name = "check_env",
          .intro =
              "Checks that environments have all properties that training relies on: the\n"
              "suite that Dray's own tasks pass. The exit code is 1 if one is missing.\n",
          .examples =
              "  check_env --env ./libmy_env.so\n"
              "  check_env --env ./libmy_env.so --set env.plugin.options=size=9\n"
              "  check_env --header > dray_env.h\n",
          .settings = Config::descriptor(),
          .flags = CheckEnvFlags(),
          .body = CheckEnvCommand};
}
}  // namespace commands

}  // namespace dray
