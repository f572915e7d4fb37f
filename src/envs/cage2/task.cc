#include "src/env/task.h"

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/printed.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cage2/challenge_scores.h"
#include "src/envs/cage2/frame.h"
#include "src/envs/cage2/opponents.h"
#include "src/envs/cage2/pictures/episode_pictures.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/envs/cage2/scripted_policies.h"
#include "src/envs/cage2/workflow.h"

namespace dray {
namespace {

std::vector<std::string> OrderItems(const Config& config) {
  if (!config.env().GetExtension(Cage2Config::cage2).workflow().enabled()) {
    throw UsageError(
        "env.cage2.workflow.enabled: is false: there is no workflow to search over; set it, or use "
        "--config cage2_workflow");
  }
  std::vector<std::string> names;
  for (int unit = 0; unit < cage2::kUnits; ++unit) {
    names.emplace_back(cage2::NameOf(cage2::Enumerator<cage2::Unit>(unit)));
  }
  return names;
}

void SetOrder(Config& config, std::span<const int> order) {
  Cage2WorkflowConfig* workflow =
      config.mutable_env()->MutableExtension(Cage2Config::cage2)->mutable_workflow();
  workflow->clear_order();
  for (const int unit : order) workflow->add_order(static_cast<Cage2WorkflowConfig::Unit>(unit));
}

// Scripts support only the raw interface.
std::unique_ptr<Player> MakeScripted(const std::string& policy, Config* config) {
  Cage2Config* game = config->mutable_env()->MutableExtension(Cage2Config::cage2);
  game->set_interface(Cage2Config::RAW);
  game->set_mask_useless(false);
  try {
    return cage2::MakeScriptedPolicy(policy, config->evaluation().seed(),
                                     cage2::NetworkOf(game->scenario()));
  } catch (const Error& error) {
    // Errors in a file already name the file.
    if (policy.starts_with("actions:")) throw;
    throw Error(error.kind(), Cat("--policy ", policy, ": ", error.what()));
  }
}

std::vector<std::string> DrawEpisode(const Config& config, const EpisodeFrames& bytes, int episode,
                                     const std::string& folder) {
  std::vector<cage2::Frame> frames;
  double total = 0;
  for (const std::string& one : bytes) {
    frames.push_back(cage2::Frame::FromBytes(one));
    total += frames.back().record.reward();
  }
  std::string title = Cat("Episode ", episode, ", red ", cage2::NameOf(frames.front().red),
                          Printed(", return %.1f", total));
  if (frames.front().has_workflow) title += Cat(", order ", cage2::TextOf(frames.front().order));
  MakeWritableFolder(folder);
  const cage2::Network& network =
      cage2::NetworkOf(config.env().GetExtension(Cage2Config::cage2).scenario());
  const std::string stem = Cat(folder, "/episode_", episode);
  const std::vector<std::string> paths = {stem + "_timeline.svg", stem + "_network.svg"};
  WriteFileAtomically(paths[0], cage2::TimelinePicture(frames, network, title));
  WriteFileAtomically(paths[1], cage2::NetworkPicture(frames, network, title));
  return paths;
}

std::vector<Flag> EvaluateFlags() {
  return {{.name = "red",
           .form = FlagForm::kText,
           .value = "AGENT",
           .path = "env.<env>.red",
           .help = "Red agent: bline, meander, sleep, learned or a mixture; all: each of the "
                   "first three in turn, with the challenge's nine scores"},
          {.name = "red-policy",
           .form = FlagForm::kText,
           .value = "DIR",
           .path = "env.<env>.red_policy",
           .help = "Policy of the learned red agent: a run of cage2_red, or several"},
          {.name = "release",
           .value = "head|leaderboard",
           .path = "env.<env>.release",
           .help = "Version of the game's dynamics"},
          {.name = "wrapper",
           .value = "stock|cardiff",
           .path = "env.<env>.wrapper",
           .help = "Wrapper that reads the monitor"},
          {.name = "green",
           .value = "on|off",
           .path = "env.<env>.green",
           .help = "Users who cause false alarms"}};
}

// The environments of a batch are stepped one after the other and share one red player.
std::unique_ptr<BatchEnv> MakeEnvs(const EnvConfig& config, const EnvStreams& streams, int count) {
  const Cage2Config& game = config.GetExtension(Cage2Config::cage2);
  const auto red = cage2::MeetsLearnedRed(game) ? cage2::MakeTrainedRed(game) : nullptr;
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) envs.push_back(std::make_unique<Cage2>(game, red));
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

void CarryFiles(EnvConfig* config) {
  Cage2Config* game = config->MutableExtension(Cage2Config::cage2);
  if (game->has_scenario()) game->set_scenario(cage2::SelfContained(game->scenario()));
  if (!cage2::MeetsLearnedRed(*game)) return;
  game->set_red_carried(cage2::CarryOpponents(cage2::RedOpponent(*game)));
}

}  // namespace

namespace tasks {
Task cage2() {
  return {.name = "cage2",
          .make_envs = MakeEnvs,
          .carry_files = CarryFiles,
          .workflow = Workflow{.order_items = OrderItems,
                               .set_order = SetOrder,
                               .return_stat = "env_return",
                               .compliance_stat = "compliance"},
          .scripted_policies =
              ScriptedPolicies{
                  .help = "cage2: play a scripted policy instead of a trained one: sleep, random, "
                          "react_restore, react_remove_restore, or actions:FILE (numbers 0 to 144, "
                          "one for each step)",
                  .make = MakeScripted},
          .score_table = ScoreTable{.setting = "red",
                                    .values = {"bline", "meander", "sleep"},
                                    .text = cage2::ScoresText,
                                    .json = cage2::ScoresJson},
          .draw_episode = DrawEpisode,
          .evaluation_json = cage2::ReturnsJson,
          .evaluate_flags = EvaluateFlags()};
}
}  // namespace tasks

}  // namespace dray
