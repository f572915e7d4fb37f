#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/json_fwd.h"
#include "src/base/rng.h"
#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/env/drawn_episodes.h"
#include "src/env/env.h"
#include "src/env/evaluation_report.h"
#include "src/env/player.h"
#include "src/env/service.h"
#include "src/env/side_learner.h"
#include "src/env/vec_env.h"

namespace dray {

struct EvaluatedPolicy;  // in src/env/evaluated_policy.h

// A task whose policy follows an order of its parts: a search looks for the best order.
struct Workflow {
  // The parts by name; an Error when these settings have no workflow.
  std::vector<std::string> (*order_items)(const Config& config);
  // Writes an order into the settings: indices into order_items, first things first.
  void (*set_order)(Config& config, std::span<const int> order);
  // The episode statistics that a search goes by. Without them: the reward, and full compliance.
  std::string return_stat = {};      // without what rewards following the order
  std::string compliance_stat = {};  // share of actions that followed it
};

// Policies that are written, not learned: evaluate --policy NAME.
struct ScriptedPolicies {
  std::string help;  // of the flag
  // By name; the config is set to what the policy can play. An unknown name is an Error.
  std::unique_ptr<Player> (*make)(const std::string& name, Config* config);
};

// What evaluate --baselines was asked for.
struct BaselineRequest {
  std::vector<std::string> names = {};  // {"all"}: all there are
  std::string weights = {};             // of a trained policy to compare with them; empty: none
  std::string side_model = {};          // what its side learner published
  bool json = false;
  std::string out = {};            // folder for reports; empty: none
  std::string render_folder = {};  // folder for pictures; empty: none
  DrawnEpisodes drawn = {};        // those to draw
};

// Simple policies that a trained one is compared with.
struct Baselines {
  std::string help;  // of the flag
  // Plays, prints the comparison, and writes and draws what was asked for.
  void (*compare)(const Config& config, const BaselineRequest& request);
};

// The evaluation under one value of a setting.
struct ScoreRow {
  std::string value;
  EvaluationReport report;
};

// One evaluation for each value of a setting, and one table of them: evaluate --<setting> all.
struct ScoreTable {
  std::string setting;              // in env.<task>; its flag has the same name
  std::vector<std::string> values;  // in the order of the rows
  std::string (*text)(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& rows,
                      const EnvSpec& spec, const Config& config);
  Json (*json)(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& rows,
               const EnvSpec& spec, const Config& config);
};

// What BatchEnv::Frame said after each step of an episode.
using EpisodeFrames = std::vector<std::string>;

// A task's entry in the registry: its environments, and what it offers beside them.
struct Task {
  std::string_view name;

  // A batch of `count` environments as the config asks.
  std::unique_ptr<BatchEnv> (*make_envs)(const EnvConfig& config, const EnvStreams& streams,
                                         int count);

  // What follows is optional: null, or empty, when the task has none.

  // Sets what the user left open and a file says: how many riders there are, say.
  void (*follow_files)(EnvConfig* config) = nullptr;
  // Writes into the settings what files elsewhere hold, before a run begins: it then needs them no
  // more, on whatever machine its environments are made.
  void (*carry_files)(EnvConfig* config) = nullptr;
  // What learns beside the policy; returns null when these settings need none.
  std::unique_ptr<SideLearner> (*make_side_learner)(const Config& config) = nullptr;
  // Work that its environments can leave to others.
  std::optional<Service> service = {};
  std::optional<Workflow> workflow = {};
  std::optional<ScriptedPolicies> scripted_policies = {};
  std::optional<Baselines> baselines = {};
  std::optional<ScoreTable> score_table = {};
  // Draws an episode (its number, from 1) into a folder: evaluate --render FOLDER. Returns the
  // files.
  std::vector<std::string> (*draw_episode)(const Config& config, const EpisodeFrames& frames,
                                           int episode, const std::string& folder) = nullptr;
  // Further members of an evaluation's JSON.
  Json (*evaluation_json)(const EvaluationReport& report, const EnvSpec& spec) = nullptr;
  // Purposes of its own random streams. No two purposes in Dray have the same number.
  std::vector<RngPurpose> random_streams = {};
  // Flags of the commands for its own settings, whose paths begin with env.<env>: the environment
  // is known when they are applied.
  std::vector<Flag> train_flags = {};
  std::vector<Flag> evaluate_flags = {};
};

// A batch of the plain environment T, made from its own message in the config.
template <typename T, const auto& message>
std::unique_ptr<BatchEnv> BatchOf(const EnvConfig& config, const EnvStreams& streams, int count) {
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) {
    envs.push_back(std::make_unique<T>(config.GetExtension(message)));
  }
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

// Each task of src/envs is a function here, named as its folder: src/envs/all_tasks finds it by
// src/envs/envs.bzl.
namespace tasks {}

}  // namespace dray
