#include "src/env/task.h"

#include "src/envs/cage2/opponents.h"
#include "src/envs/cage2_red/blue_player.h"
#include "src/envs/cage2_red/cage2_red.h"

namespace dray {
namespace {

std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  const Cage2RedConfig& settings = config.GetExtension(Cage2RedConfig::cage2_red);
  const cage2::Defence defence = cage2::MakeDefence(settings);
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<Cage2Red>(settings, defence));
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

void CarryFiles(EnvConfig* config) {
  Cage2RedConfig* settings = config->MutableExtension(Cage2RedConfig::cage2_red);
  if (!cage2::MeetsTrainedBlue(*settings)) return;
  settings->set_blue_carried(cage2::CarryOpponents(cage2::BlueOpponent(*settings)));
}

}  // namespace

namespace tasks {
Task cage2_red() {
  return {.name = "cage2_red",
          .make_envs = MakeEnvs,
          .carry_files = CarryFiles,
          .evaluate_flags = {{.name = "blue",
                              .form = FlagForm::kText,
                              .value = "BLUE",
                              .path = "env.<env>.blue",
                              .help = "Defender: sleep, random, react_restore, "
                                      "react_remove_restore, or one or several runs of cage2"}}};
}
}  // namespace tasks

}  // namespace dray
