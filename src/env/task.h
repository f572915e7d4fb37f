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

struct EvaluatedPolicy;  // defined in src/env/evaluated_policy.h

// An order of parts that the policy follows; a search looks for the best order.
struct Workflow {
  // Returns the names of the parts; an Error if these settings have no workflow.
  std::vector<std::string> (*order_items)(const Config& config);
  // Writes an order into the settings: indices into order_items, first to last.
  void (*set_order)(Config& config, std::span<const int> order);
  // Episode statistics used by a search. If empty: the reward, and full compliance.
  std::string return_stat = {};      // return without the reward for following the order
  std::string compliance_stat = {};  // share of actions that followed it
};

// Handwritten policies: evaluate --policy NAME.
struct ScriptedPolicies {
  std::string help;  // help text of the flag
  // Makes the policy of this name and sets the config to what it can play. An unknown name is an
  // Error.
  std::unique_ptr<Player> (*make)(const std::string& name, Config* config);
};

// Arguments of evaluate --baselines.
struct BaselineRequest {
  std::vector<std::string> names = {};  // {"all"}: every baseline
  std::string weights = {};             // trained policy to compare with them; empty: none
  std::string side_model = {};          // model of its side learner
  bool json = false;
  std::string out = {};            // folder for reports; empty: none
  std::string render_folder = {};  // folder for pictures; empty: none
  DrawnEpisodes drawn = {};        // episodes to draw
};

// Simple policies that a trained one is compared with.
struct Baselines {
  std::string help;  // help text of the flag
  // Plays, prints the comparison, and writes and draws what was requested.
  void (*compare)(const Config& config, const BaselineRequest& request);
};

// Simple policies that play the evaluation episodes of a run beside the learned one.
struct Yardstick {
  std::string reference;          // policy that gains are measured against
  std::string rival, rival_name;  // policy to beat, and its name for a person
  std::string unit;               // unit of the return, such as "min"; empty: none
  // Makes one of them for an environment, which must outlive it.
  std::unique_ptr<Player> (*make)(const std::string& name, BatchEnv& env, const Config& config);
};

// Evaluation with one value of a setting.
struct ScoreRow {
  std::string value;
  EvaluationReport report;
};

// A table with one evaluation per value of a setting: evaluate --<setting> all.
struct ScoreTable {
  std::string setting;              // name below env.<task>, and of its flag
  std::vector<std::string> values;  // one per row
  std::string (*text)(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& rows,
                      const EnvSpec& spec, const Config& config);
  Json (*json)(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& rows,
               const EnvSpec& spec, const Config& config);
};

// Results of BatchEnv::Frame after each step of an episode.
using EpisodeFrames = std::vector<std::string>;

// A task's entry in the registry: its environments, and what else it offers.
struct Task {
  std::string_view name;

  // Makes a batch of `count` environments.
  std::unique_ptr<BatchEnv> (*make_envs)(const EnvConfig& config, const EnvStreams& streams,
                                         int count);

  // The rest is optional: null or empty if the task has none.

  // The environments come from outside of Dray: without settings that name them there are none.
  bool external = false;
  // Reads a name of environments (env.name, --env) that is not a task's: if it means environments
  // of this task, writes their settings and returns true. Sets env.name, too.
  bool (*read_env_flag)(const std::string& value, EnvConfig* config) = nullptr;
  // Names that read_env_flag reads, for messages: "FILE.so".
  std::string_view env_flag_values = {};
  // Fills in settings that the user left open and a file gives, such as the number of riders.
  void (*follow_files)(EnvConfig* config) = nullptr;
  // Copies the contents of other files into the settings before a run begins, so that environments
  // can be made on any machine.
  void (*carry_files)(EnvConfig* config) = nullptr;
  // Switches off what is computed for a learner alone. Episodes stay the same.
  void (*for_evaluation)(EnvConfig* config) = nullptr;
  // Makes the side learner; returns null if these settings need none.
  std::unique_ptr<SideLearner> (*make_side_learner)(const Config& config) = nullptr;
  // Work that its environments can leave to others.
  std::optional<Service> service = {};
  std::optional<Workflow> workflow = {};
  std::optional<ScriptedPolicies> scripted_policies = {};
  std::optional<Baselines> baselines = {};
  // Null, or returns nothing if these settings have no yardstick.
  std::optional<Yardstick> (*yardstick)(const EnvConfig& config) = nullptr;
  std::optional<ScoreTable> score_table = {};
  // Draws an episode (numbered from 1) into a folder: evaluate --render FOLDER. Returns the files.
  std::vector<std::string> (*draw_episode)(const Config& config, const EpisodeFrames& frames,
                                           int episode, const std::string& folder) = nullptr;
  // Returns further members of an evaluation's JSON.
  Json (*evaluation_json)(const EvaluationReport& report, const EnvSpec& spec) = nullptr;
  // Purposes of its own random streams. No two purposes in Dray have the same number.
  std::vector<RngPurpose> random_streams = {};
  // Flags of the commands for the task's settings; their paths begin with env.<env>, which is
  // replaced when they are applied.
  std::vector<Flag> train_flags = {};
  std::vector<Flag> evaluate_flags = {};
};

// Makes a batch of the plain environment T from its own message in the config.
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
