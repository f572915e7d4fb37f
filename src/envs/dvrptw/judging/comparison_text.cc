#include "src/envs/dvrptw/judging/comparison_text.h"

#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/metrics/text_table.h"

namespace dray {
namespace {

std::vector<TextRow> Table(const Comparison& comparison) {
  TextRow header = {
      "policy",   "objective min", "against none min", "%",           "cost min", "vehicles",
      "unserved", "acceptance %",  "shift min/rider",  "by type min", "Gini"};
  if (!comparison.learned_against.empty()) header.push_back("learned less this, min");
  std::vector<TextRow> rows = {header};
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const PolicyScore& score = comparison.scores[i];
    std::string by_type;
    for (const double shift : score.shift_by_type) {
      by_type += Cat(by_type.empty() ? "" : " / ", Printed("%.1f", shift));
    }
    TextRow row = {score.policy,
                   Printed("%.1f", score.objective.mean),
                   i == 0 ? "" : WithInterval(score.against_none),
                   i == 0 ? "" : Printed("%+.2f", score.against_none_pct),
                   Printed("%.1f", score.cost.mean),
                   Printed("%.2f", score.vehicles.mean),
                   Printed("%.2f", score.unserved.mean),
                   Printed("%.1f", 100 * score.acceptance.mean),
                   Printed("%.2f", score.shift_min.mean),
                   by_type,
                   Printed("%.2f", score.gini)};
    if (!comparison.learned_against.empty()) {
      row.push_back(score.policy == "learned" ? "" : WithInterval(comparison.learned_against[i]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Title(const Comparison& comparison) {
  return Cat(comparison.episodes, " paired episodes, seed ", comparison.seed, ", ",
             comparison.held_out_riders ? "riders that were not trained with, " : "", "patience ",
             comparison.patience_weight,
             " per minute of shift; objective = cost + patience, below is better; judged by ruin "
             "and recreate from scratch (1,000 rounds, best of 3); ± is the 95 % interval of the "
             "paired difference; types: late dropoff / early pickup / none / both");
}

}  // namespace

std::string ComparisonText(const Comparison& comparison) {
  return Cat(Title(comparison), "\n\n", AlignedTable(Table(comparison)));
}

std::string ComparisonMarkdown(const Comparison& comparison) {
  return Cat(Title(comparison), ".\n\n", MarkdownTable(Table(comparison)));
}

std::string ComparisonJson(const Comparison& comparison) {
  Json json = {{"episodes", comparison.episodes},
               {"seed", comparison.seed},
               {"patience_weight", comparison.patience_weight},
               {"held_out_riders", comparison.held_out_riders},
               {"unit", "min"},
               {"policies", Json::array()}};
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const PolicyScore& score = comparison.scores[i];
    Json policy = {{"policy", score.policy},
                   {"objective", JsonOf(score.objective)},
                   {"against_none", JsonOf(score.against_none)},
                   {"against_none_pct", score.against_none_pct},
                   {"cost", JsonOf(score.cost)},
                   {"patience", JsonOf(score.patience)},
                   {"vehicles", JsonOf(score.vehicles)},
                   {"unserved", JsonOf(score.unserved)},
                   {"failure", JsonOf(score.failure)},
                   {"acceptance", JsonOf(score.acceptance)},
                   {"shift_min_per_rider", JsonOf(score.shift_min)},
                   {"shift_min_by_type", score.shift_by_type},
                   {"gini", score.gini},
                   {"objective_by_day", Json::array()}};
    for (const JudgedDay& day : score.days) policy["objective_by_day"].push_back(day.objective);
    if (!comparison.learned_against.empty()) {
      policy["learned_less_this"] = JsonOf(comparison.learned_against[i]);
    }
    json["policies"].push_back(std::move(policy));
  }
  for (const RiderBelief& rider : comparison.beliefs) {
    json["beliefs"].push_back(
        {{"type", rider.type}, {"belief", rider.belief}, {"known", rider.known}});
  }
  return JsonText(json) + "\n";
}

}  // namespace dray
