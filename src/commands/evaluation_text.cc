#include "src/commands/evaluation_text.h"

#include "src/base/error.h"
#include "src/base/printed.h"

namespace dray {

std::string EvaluationText(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config) {
  std::string text = Cat(spec.name, ", ", policy.name, "\n");
  if (report.episodes.size() > 1) {
    text += Printed("  return   %.2f ± %.2f (95 %% interval of the mean), std %.2f\n",
                    report.mean_return(), report.ci95_return(), report.std_return());
  } else {
    text += Printed("  return   %.2f (one episode: no interval)\n", report.mean_return());
  }
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
  // Weights have versions, scripts have none.
  if (report.policy_version > 0) json["policy_version"] = report.policy_version;
  json.update({{"episodes", report.episodes.size()},
               {"seed", config.evaluation().seed()},
               {"return_mean", report.mean_return()},
               {"return_std", report.std_return()},
               {"return_ci95", report.ci95_return()},
               {"length_mean", report.mean_length()}});
  json.update(further);
  json["stats"] = Json::object();
  for (const std::string& stat : spec.episode_stats) {
    json["stats"][stat] = SpreadOf(report, spec, stat).ToJson();
  }
  return json;
}

}  // namespace dray
