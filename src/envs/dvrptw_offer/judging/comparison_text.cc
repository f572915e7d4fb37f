#include "src/envs/dvrptw_offer/judging/comparison_text.h"

#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/envs/delivery/judging/comparison_text.h"
#include "src/output/format.h"

namespace dray::dvrptw_offer {
namespace {

std::vector<TextRow> Table(const Comparison& comparison) {
  return delivery::ComparisonTable(
      comparison,
      {"policy", "objective", "against all_slots", "%", "cost", "served %", "cost per served",
       "vehicles", "by type %"},
      "learned minus this", [](const PolicyScore& score) -> TextRow {
        std::vector<double> percent;
        for (const double share : score.served_by_type) percent.push_back(100 * share);
        return {Printed("%.1f", score.cost.mean), Printed("%.1f", 100 * score.served.mean),
                Printed("%.2f", score.cost_per_served), Printed("%.2f", score.vehicles.mean),
                delivery::Joined(percent, 0)};
      });
}

std::string Title(const Comparison& comparison) {
  return Cat(
      FormatCounted(comparison.episodes, "paired episode"), ", seed ", comparison.seed, ", ",
      comparison.instance.empty() ? "generated customers"
                                  : Cat("customers of ", comparison.instance),
      "; objective = cost of those served + 1.5 mean round trips for each one lost, lower is "
      "better; judged by ruin and recreate from scratch (1,000 rounds, best of 3); ± is the "
      "95 % interval of the paired difference; types, by the slots they take: later two / "
      "earlier two / one / all");
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
               {"mode", "offer"},
               {"instance", comparison.instance}};
  json["policies"] = delivery::ScoresJson(comparison, [](const PolicyScore& score) -> Json {
    return {{"policy", score.policy},
            {"objective", JsonOf(score.objective)},
            {"against_all_slots", JsonOf(score.against_reference)},
            {"against_all_slots_pct", score.against_reference_pct},
            {"cost", JsonOf(score.cost)},
            {"served", JsonOf(score.served)},
            {"cost_per_served", score.cost_per_served},
            {"served_by_type", score.served_by_type},
            {"vehicles", JsonOf(score.vehicles)}};
  });
  return JsonText(json) + "\n";
}

}  // namespace dray::dvrptw_offer
