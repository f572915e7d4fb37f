#include "src/commands/evaluation_text.h"

#include "src/base/error.h"
#include "src/base/printed.h"
#include "src/metrics/format.h"

namespace dray {
std::string JsonString(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += Printed("\\u%04x", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text + '"';
}

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

std::string EvaluationJson(const EvaluatedPolicy& policy, const EvaluationReport& report,
                           const EnvSpec& spec, const Config& config, const std::string& further) {
  std::string stats;
  for (const std::string& stat : spec.episode_stats) {
    stats +=
        Cat(stats.empty() ? "" : ", ", "\"", stat, "\": ", SpreadOf(report, spec, stat).ToJson());
  }
  // Weights have versions, scripts have none.
  const std::string version =
      report.policy_version > 0 ? Cat(", \"policy_version\": ", report.policy_version) : "";
  return Cat("{\"env\": ", JsonString(spec.name), ", ", policy.json, version,
             ", \"episodes\": ", report.episodes.size(), ", \"seed\": ", config.evaluation().seed(),
             ", \"return_mean\": ", JsonNumber(report.mean_return()),
             ", \"return_std\": ", JsonNumber(report.std_return()),
             ", \"return_ci95\": ", JsonNumber(report.ci95_return()),
             ", \"length_mean\": ", JsonNumber(report.mean_length()), further.empty() ? "" : ", ",
             further, ", \"stats\": {", stats, "}}\n");
}

}  // namespace dray
