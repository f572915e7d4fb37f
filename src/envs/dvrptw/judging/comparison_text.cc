#include "src/envs/dvrptw/judging/comparison_text.h"

#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/envs/delivery/judging/comparison_text.h"
#include "src/output/format.h"

namespace dray::dvrptw {
namespace {

std::vector<TextRow> Table(const Comparison& comparison) {
  return delivery::ComparisonTable(
      comparison,
      {"policy", "objective min", "against none min", "%", "cost min", "vehicles", "unserved",
       "acceptance %", "shift min/rider", "by type min", "Gini"},
      "learned minus this, min", [](const PolicyScore& score) -> TextRow {
        return {Printed("%.1f", score.cost.mean),
                Printed("%.2f", score.vehicles.mean),
                Printed("%.2f", score.unserved.mean),
                Printed("%.1f", 100 * score.acceptance.mean),
                Printed("%.2f", score.shift_min.mean),
                delivery::Joined(score.shift_by_type, 1),
                Printed("%.2f", score.gini)};
      });
}

std::string Title(const Comparison& comparison) {
  return Cat(FormatCounted(comparison.episodes, "paired episode"), ", seed ", comparison.seed, ", ",
             comparison.held_out_riders ? "riders not met in training, " : "", "patience ",
             comparison.patience_weight,
             " per minute of shift; objective = cost + patience, lower is better; judged by ruin "
             "and recreate from scratch (1,000 rounds, best of 3); ± is the 95 % interval of the "
             "paired difference; types: late dropoff / early pickup / none / both");
}

}  // namespace

std::string ComparisonText(const Comparison& comparison) {
  return delivery::TitledText(Title(comparison), Table(comparison));
}

std::string ComparisonMarkdown(const Comparison& comparison) {
  return delivery::TitledMarkdown(Title(comparison), Table(comparison));
}

std::string ComparisonJson(const Comparison& comparison) {
  Json json = {{"episodes", comparison.episodes},
               {"seed", comparison.seed},
               {"patience_weight", comparison.patience_weight},
               {"held_out_riders", comparison.held_out_riders},
               {"unit", "min"}};
  json["policies"] = delivery::ScoresJson(comparison, [](const PolicyScore& score) -> Json {
    return {{"policy", score.policy},
            {"objective", JsonOf(score.objective)},
            {"against_none", JsonOf(score.against_reference)},
            {"against_none_pct", score.against_reference_pct},
            {"cost", JsonOf(score.cost)},
            {"patience", JsonOf(score.patience)},
            {"vehicles", JsonOf(score.vehicles)},
            {"unserved", JsonOf(score.unserved)},
            {"failure", JsonOf(score.failure)},
            {"acceptance", JsonOf(score.acceptance)},
            {"shift_min_per_rider", JsonOf(score.shift_min)},
            {"shift_min_by_type", score.shift_by_type},
            {"gini", score.gini}};
  });
  for (const RiderBelief& rider : comparison.beliefs) {
    json["beliefs"].push_back(
        {{"type", rider.type}, {"belief", rider.belief}, {"known", rider.known}});
  }
  return JsonText(json) + "\n";
}

}  // namespace dray::dvrptw
