#include "src/commands/evaluation_text.h"

#include <optional>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/env/episode_stats.h"
#include "src/env/registry.h"

namespace dray {
namespace {

// Returns the statistic with the task's own return if the reward includes a bonus for following a
// workflow.
std::optional<std::string> OwnReturnStat(const EnvSpec& spec, const Config& config) {
  const std::optional<Workflow>& workflow = TaskOf(config.env()).workflow;
  if (!workflow || !StatPlace(spec, workflow->return_stat)) return std::nullopt;
  if (!StatPlace(spec, workflow->compliance_stat)) return std::nullopt;  // no workflow is followed
  return workflow->return_stat;
}

std::optional<Spread> OwnReturn(const EvaluationReport& report, const EnvSpec& spec,
                                const Config& config) {
  const std::optional<std::string> stat = OwnReturnStat(spec, config);
  if (!stat) return std::nullopt;
  return SpreadOf(report, spec, *stat);
}

constexpr char kRewardNote[] =
    "           (return is the game's own; reward has what following the workflow adds)\n";

std::string ReturnLine(const char* name, const Spread& spread, size_t episodes) {
  if (episodes < 2) return Printed("  %-8s %.2f (one episode: no interval)\n", name, spread.mean);
  return Printed("  %-8s %.2f ± %.2f (95 %% interval of the mean), std %.2f\n", name, spread.mean,
                 spread.ci95, spread.std);
}

}  // namespace

std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config) {
  std::string text = Cat(spec.name, ", ", policy.name, "\n");
  const Spread reward = RewardOf(report);
  const std::optional<Spread> own = OwnReturn(report, spec, config);
  const size_t episodes = report.episodes.size();
  text += ReturnLine("return", own.value_or(reward), episodes);
  if (own) text += ReturnLine("reward", reward, episodes) + kRewardNote;
  text += Printed("  length   %.1f steps\n", report.mean_length());
  text += Cat("  episodes ", report.episodes.size(), ", seed ", config.evaluation().seed(), "\n");
  for (const std::string& stat : spec.episode_stats) {
    const Spread spread = SpreadOf(report, spec, stat);
    text += Printed("  %-22s %.4g, std %.4g\n", stat.c_str(), spread.mean, spread.std);
  }
  return text;
}

Json EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                    const EnvSpec& spec, const Config& config, const Json& further) {
  Json json = {{"env", spec.name}};
  json.update(policy.json);
  // Only trained weights have versions.
  if (report.policy_version > 0) json["policy_version"] = report.policy_version;
  const size_t episodes = report.episodes.size();
  const Spread reward = RewardOf(report);
  const std::optional<Spread> own = OwnReturn(report, spec, config);
  const Spread& returns = own ? *own : reward;
  json.update({{"episodes", episodes},
               {"seed", config.evaluation().seed()},
               {"return_mean", returns.mean},
               {"return_std", returns.std},
               {"return_ci95", returns.ci95},
               {"length_mean", report.mean_length()}});
  if (own) {
    json.update(
        {{"reward_mean", reward.mean}, {"reward_std", reward.std}, {"reward_ci95", reward.ci95}});
  }
  json.update(further);
  json["stats"] = Json::object();
  for (const std::string& stat : spec.episode_stats) {
    json["stats"][stat] = SpreadOf(report, spec, stat).ToJson();
  }
  return json;
}

Json EpisodesJson(const EvaluationReport& report, const EnvSpec& spec, const Config& config) {
  const std::optional<std::string> own = OwnReturnStat(spec, config);
  Json episodes = Json::array();
  for (const Episode& episode : report.episodes) {
    const double total = own ? episode.stats.at(*StatPlace(spec, *own)) : episode.total_reward;
    episodes.push_back(
        {{"episode", episodes.size() + 1}, {"return", total}, {"length", episode.length}});
  }
  return episodes;
}

}  // namespace dray
