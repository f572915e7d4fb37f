#include "src/commands/evaluation_text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "src/base/error.h"
#include "src/env/episode_stats.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

struct Spread {
  double mean = 0;
  double std = 0;  // of the sample
};

Spread SpreadOf(const EvaluationReport& report, const EnvSpec& spec, const std::string& stat) {
  const std::optional<size_t> place = StatPlace(spec, stat);
  DRAY_CHECK(place.has_value());
  const auto of = [&](const Episode& episode) { return episode.stats.at(*place); };
  Spread spread;
  const auto count = static_cast<double>(report.episodes.size());
  for (const Episode& episode : report.episodes) spread.mean += of(episode);
  spread.mean /= count;
  for (const Episode& episode : report.episodes) {
    spread.std += (of(episode) - spread.mean) * (of(episode) - spread.mean);
  }
  spread.std = count > 1 ? std::sqrt(spread.std / (count - 1)) : 0;
  return spread;
}

std::string Printed(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

std::string SpreadJson(const Spread& spread, size_t episodes) {
  return Cat("{\"mean\": ", JsonNumber(spread.mean), ", \"std\": ", JsonNumber(spread.std),
             ", \"sem\": ", JsonNumber(spread.std / std::sqrt(static_cast<double>(episodes))), "}");
}

// --- The challenge's scores

struct Horizon {
  int steps;
  std::string stat;
};

// The horizons that fit into an episode; red does not know them, so that one episode has them all.
std::vector<Horizon> HorizonsOf(const EnvSpec& spec) {
  std::vector<Horizon> horizons;
  if (spec.max_episode_steps > 30) horizons.push_back({30, "return_30"});
  if (spec.max_episode_steps > 50) horizons.push_back({50, "return_50"});
  horizons.push_back({spec.max_episode_steps, "env_return"});
  return horizons;
}

std::string ReturnsJson(const EvaluationReport& report, const EnvSpec& spec) {
  std::string text;
  for (const Horizon& horizon : HorizonsOf(spec)) {
    text += Cat(text.empty() ? "" : ", ", "\"", horizon.steps,
                "\": ", SpreadJson(SpreadOf(report, spec, horizon.stat), report.episodes.size()));
  }
  return Cat("{", text, "}");
}

// CardiffUni's, as published by the challenge; nothing is published against a sleeping red alone.
struct PublishedRow {
  std::string_view red;
  std::array<double, 3> means;  // at 30, 50 and 100 steps
};
constexpr std::array<PublishedRow, 2> kWinner = {{
    {"bline", {-3.47, -6.41, -13.76}},
    {"meander", {-5.64, -8.69, -16.60}},
}};
constexpr double kWinnerTotal = -54.57;

std::string WinnerText(std::string_view red) {
  for (const PublishedRow& row : kWinner) {
    if (row.red == red) {
      return Printed("   published winner %.2f / %.2f / %.2f", row.means[0], row.means[1],
                     row.means[2]);
    }
  }
  return "";
}

double TotalOf(const std::vector<RedScore>& scores, const EnvSpec& spec) {
  double total = 0;
  for (const RedScore& score : scores) {
    for (const Horizon& horizon : HorizonsOf(spec)) {
      total += SpreadOf(score.report, spec, horizon.stat).mean;
    }
  }
  return total;
}

bool BesideTheWinner(const EnvSpec& spec, const Config& config) {
  const Cage2Config& game = config.env().GetExtension(Cage2Config::cage2);
  return spec.max_episode_steps == 100 && game.release() == Cage2Config::LEADERBOARD &&
         game.green() == Cage2Config::OFF;
}

}  // namespace

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
                           const EnvSpec& spec, const Config& config) {
  std::string stats;
  for (const std::string& stat : spec.episode_stats) {
    stats += Cat(stats.empty() ? "" : ", ", "\"", stat,
                 "\": ", SpreadJson(SpreadOf(report, spec, stat), report.episodes.size()));
  }
  // Weights have versions, scripts have none.
  const std::string version =
      report.policy_version > 0 ? Cat(", \"policy_version\": ", report.policy_version) : "";
  return Cat("{\"env\": ", JsonString(spec.name), ", ", policy.json, version,
             ", \"episodes\": ", report.episodes.size(), ", \"seed\": ", config.evaluation().seed(),
             ", \"return_mean\": ", JsonNumber(report.mean_return()),
             ", \"return_std\": ", JsonNumber(report.std_return()),
             ", \"return_ci95\": ", JsonNumber(report.ci95_return()),
             ", \"length_mean\": ", JsonNumber(report.mean_length()),
             spec.name == "cage2" ? Cat(", \"returns\": ", ReturnsJson(report, spec)) : "",
             ", \"stats\": {", stats, "}}\n");
}

std::string ScoresText(const EvaluatedPolicy& policy, const std::vector<RedScore>& scores,
                       const EnvSpec& spec, const Config& config) {
  const bool winner = BesideTheWinner(spec, config);
  std::string text = Cat(spec.name, ", ", policy.name, "\n  mean return (standard deviation) at");
  for (const Horizon& horizon : HorizonsOf(spec)) text += Cat("  ", horizon.steps);
  text += " steps\n";
  for (const RedScore& score : scores) {
    text += Printed("  %-8s", score.red.c_str());
    for (const Horizon& horizon : HorizonsOf(spec)) {
      const Spread spread = SpreadOf(score.report, spec, horizon.stat);
      text += Printed("  %8.2f (%6.2f)", spread.mean, spread.std);
    }
    text += Printed("   Op_Server0 restored in %.0f %% of episodes",
                    100 * SpreadOf(score.report, spec, "server_restored").mean);
    text += Cat(winner ? WinnerText(score.red) : "", "\n");
  }
  text += Printed("  total    %8.2f", TotalOf(scores, spec));
  if (winner) text += Printed("   (published winner %.2f)", kWinnerTotal);
  return Cat(text, "\n  ", scores.front().report.episodes.size(), " episodes each, seed ",
             config.evaluation().seed(), "\n");
}

std::string ScoresJson(const EvaluatedPolicy& policy, const std::vector<RedScore>& scores,
                       const EnvSpec& spec, const Config& config) {
  std::string reds;
  for (const RedScore& score : scores) {
    reds += Cat(reds.empty() ? "" : ", ", "\"", score.red,
                "\": {\"returns\": ", ReturnsJson(score.report, spec), ", \"server_restored\": ",
                JsonNumber(SpreadOf(score.report, spec, "server_restored").mean), "}");
  }
  return Cat("{\"env\": ", JsonString(spec.name), ", ", policy.json,
             ", \"episodes\": ", scores.front().report.episodes.size(),
             ", \"seed\": ", config.evaluation().seed(), ", \"scores\": {", reds,
             "}, \"total\": ", JsonNumber(TotalOf(scores, spec)), "}\n");
}

}  // namespace dray
