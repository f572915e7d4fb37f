#include "src/envs/cage2/challenge_scores.h"

#include <array>
#include <string_view>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/env/evaluated_policy.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/output/format.h"

namespace dray::cage2 {
namespace {

struct Horizon {
  int steps;
  std::string stat;
};

// Horizons that fit into an episode. Red does not know them, so one episode covers all of them.
std::vector<Horizon> HorizonsOf(const EnvSpec& spec) {
  std::vector<Horizon> horizons;
  if (spec.max_episode_steps > 30) horizons.push_back({30, "return_30"});
  if (spec.max_episode_steps > 50) horizons.push_back({50, "return_50"});
  horizons.push_back({spec.max_episode_steps, "env_return"});
  return horizons;
}

// Scores of CardiffUni as published by the challenge; there are none against a sleeping red alone.
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

double TotalOf(const std::vector<ScoreRow>& reds, const EnvSpec& spec) {
  double total = 0;
  for (const ScoreRow& red : reds) {
    for (const Horizon& horizon : HorizonsOf(spec)) {
      total += SpreadOf(red.report, spec, horizon.stat).mean;
    }
  }
  return total;
}

bool BesideTheWinner(const EnvSpec& spec, const Config& config) {
  const Cage2Config& game = config.env().GetExtension(Cage2Config::cage2);
  return IsShipped(game.scenario()) && spec.max_episode_steps == 100 &&
         game.release() == Cage2Config::LEADERBOARD && game.green() == Cage2Config::OFF;
}

}  // namespace

Json ReturnsJson(const EvaluationReport& report, const EnvSpec& spec) {
  Json returns;
  for (const Horizon& horizon : HorizonsOf(spec)) {
    returns[std::to_string(horizon.steps)] = SpreadOf(report, spec, horizon.stat).ToJson();
  }
  return {{"returns", returns}};
}

std::string ScoresText(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                       const EnvSpec& spec, const Config& config) {
  const bool winner = BesideTheWinner(spec, config);
  const Network& network = NetworkOf(config.env().GetExtension(Cage2Config::cage2).scenario());
  const std::string& server = network.names[network.server];
  std::string text = Cat(spec.name, ", ", policy.name, "\n  mean return (standard deviation) at");
  for (const Horizon& horizon : HorizonsOf(spec)) text += Cat("  ", horizon.steps);
  text += " steps\n";
  for (const auto& [red, report] : reds) {
    text += Printed("  %-8s", red.c_str());
    for (const Horizon& horizon : HorizonsOf(spec)) {
      const Spread spread = SpreadOf(report, spec, horizon.stat);
      text += Printed("  %8.2f (%6.2f)", spread.mean, spread.std);
    }
    text += Printed("   %s restored in %.0f %% of episodes", server.c_str(),
                    100 * SpreadOf(report, spec, "server_restored").mean);
    text += Cat(winner ? WinnerText(red) : "", "\n");
  }
  text += Printed("  total    %8.2f", TotalOf(reds, spec));
  if (winner) text += Printed("   (published winner %.2f)", kWinnerTotal);
  return Cat(text, "\n  ", FormatCounted(std::ssize(reds.front().report.episodes), "episode"),
             " each, seed ", config.evaluation().seed(), "\n");
}

Json ScoresJson(const EvaluatedPolicy& policy, const std::vector<ScoreRow>& reds,
                const EnvSpec& spec, const Config& config) {
  Json scores;
  for (const auto& [red, report] : reds) {
    scores[red] = ReturnsJson(report, spec);
    scores[red]["server_restored"] = SpreadOf(report, spec, "server_restored").mean;
  }
  Json json = {{"env", spec.name}};
  json.update(policy.json);
  json.update({{"episodes", reds.front().report.episodes.size()},
               {"seed", config.evaluation().seed()},
               {"scores", scores},
               {"total", TotalOf(reds, spec)}});
  return json;
}

}  // namespace dray::cage2
