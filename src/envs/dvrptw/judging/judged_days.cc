#include "src/envs/dvrptw/judging/judged_days.h"

#include "src/base/json.h"
#include "src/routing/problem_json.h"

namespace dray::dvrptw {
namespace {

Json JsonOf(const std::string& policy, int number, const JudgedDay& day) {
  Json json = {{"policy", policy},
               {"day", number},
               {"objective_min", day.objective},
               {"cost_min", day.cost},
               {"unserved", day.unserved}};
  json.update(ProblemJson(day.problem));
  json["routes"] = PlanJson(day.plan);
  return json;
}

}  // namespace

std::string JudgedDaysText(const Comparison& comparison) {
  const Json header = {{"seed", comparison.seed},
                       {"episodes", comparison.episodes},
                       {"patience_weight", comparison.patience_weight},
                       {"city", CityJson(comparison.scores[0].days[0].problem)}};
  std::string text = JsonText(header) + "\n";
  for (const PolicyScore& score : comparison.scores) {
    int number = 0;
    for (const JudgedDay& day : score.days) {
      text += JsonText(JsonOf(score.policy, ++number, day)) + "\n";
    }
  }
  return text;
}

}  // namespace dray::dvrptw
