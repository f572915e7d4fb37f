#include "src/env/task.h"

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/waves/instances.h"
#include "src/envs/waves/pictures/day_picture.h"
#include "src/envs/waves/random_streams.h"
#include "src/envs/waves/scripted_policies.h"
#include "src/envs/waves/waves.h"
#include "src/output/format.h"

namespace dray {
namespace waves {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  const auto world = std::make_shared<const WavesWorld>(config.GetExtension(WavesConfig::waves));
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<Waves>(world));
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

void CarryFiles(EnvConfig* config) { CarryInstances(config->MutableExtension(WavesConfig::waves)); }

std::vector<std::string> DrawEpisode(const Config& config, const EpisodeFrames& frames, int episode,
                                     const std::string& folder) {
  const Day day =
      DayOfFrame(InstancesOf(config.env().GetExtension(WavesConfig::waves)), frames.back());
  int64_t routes = 0;
  for (const Routes& wave : day.dispatched()) routes += std::ssize(wave);
  const std::string title = Cat(
      "Episode ", episode, ": ", FormatCounted(std::ssize(day.arrived()), "request"), ", ",
      FormatCounted(routes, "route"), ", ", FormatFixed(day.cost() / kHour_s, 2), " h of driving");
  MakeWritableFolder(folder);
  const std::string stem = Cat(folder, "/episode_", episode);
  const std::vector<std::string> paths = {stem + "_waves.svg", stem + "_routes.svg"};
  WriteFileAtomically(paths[0], DayPicture(day, title));
  WriteFileAtomically(paths[1], DayMap(day, title));
  return paths;
}

std::unique_ptr<Player> MakeScripted(const std::string& name, Config* config) {
  return MakeScriptedPolicy(name, config->evaluation().seed());
}

std::unique_ptr<Player> MakeYardstickPlayer(const std::string& name, BatchEnv& /*env*/,
                                            const Config& config) {
  return MakeScriptedPolicy(name, config.evaluation().seed());
}

std::optional<Yardstick> YardstickOf(const EnvConfig& /*config*/) {
  return Yardstick{.reference = "lazy",
                   .rival = "greedy",
                   .rival_name = "greedy",
                   .unit = "h",
                   .make = MakeYardstickPlayer};
}

}  // namespace
}  // namespace waves

namespace tasks {
Task waves() {
  namespace task = dray::waves;
  return {.name = "waves",
          .make_envs = task::MakeEnvs,
          .carry_files = task::CarryFiles,
          .scripted_policies =
              ScriptedPolicies{.help = "waves: play a scripted policy instead of a trained one: "
                                       "greedy, lazy or random",
                               .make = task::MakeScripted},
          .yardstick = task::YardstickOf,
          .draw_episode = task::DrawEpisode,
          .random_streams = {task::kInstanceStream, task::kPolicyStream}};
}
}  // namespace tasks

}  // namespace dray
