#include "src/envs/dvrptw/judging/offer_comparison_text.h"

#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/base/printed.h"
#include "src/metrics/text_table.h"

namespace dray {
namespace {

std::vector<TextRow> Table(const OfferComparison& comparison) {
  TextRow header = {"policy",   "objective",       "against all_slots", "%",        "cost",
                    "served %", "cost per served", "vehicles",          "by type %"};
  if (!comparison.learned_against.empty()) header.push_back("learned less this");
  std::vector<TextRow> rows = {header};
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const OfferScore& score = comparison.scores[i];
    std::string by_type;
    for (const double share : score.served_by_type) {
      by_type += Cat(by_type.empty() ? "" : " / ", Printed("%.0f", 100 * share));
    }
    TextRow row = {score.policy,
                   Printed("%.1f", score.objective.mean),
                   i == 0 ? "" : WithInterval(score.against_all_slots),
                   i == 0 ? "" : Printed("%+.2f", score.against_all_slots_pct),
                   Printed("%.1f", score.cost.mean),
                   Printed("%.1f", 100 * score.served.mean),
                   Printed("%.2f", score.cost_per_served),
                   Printed("%.2f", score.vehicles.mean),
                   by_type};
    if (!comparison.learned_against.empty()) {
      row.push_back(score.policy == "learned" ? "" : WithInterval(comparison.learned_against[i]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Title(const OfferComparison& comparison) {
  return Cat(comparison.episodes, " paired episodes, seed ", comparison.seed, ", ",
             comparison.instance.empty() ? "generated customers"
                                         : Cat("customers of ", comparison.instance),
             "; objective = cost of those served + 1.5 mean ways there and back for each one lost, "
             "below is better; judged by ruin and recreate from scratch (1,000 rounds, best of 3); "
             "± is the 95 % interval of the paired difference; types, by the slots they take: "
             "later two / earlier two / one / all");
}

}  // namespace

std::string ComparisonText(const OfferComparison& comparison) {
  return Cat(Title(comparison), "\n\n", AlignedTable(Table(comparison)));
}

std::string ComparisonMarkdown(const OfferComparison& comparison) {
  return Cat(Title(comparison), ".\n\n", MarkdownTable(Table(comparison)));
}

std::string ComparisonJson(const OfferComparison& comparison) {
  Json json = {{"episodes", comparison.episodes},
               {"seed", comparison.seed},
               {"mode", "offer"},
               {"instance", comparison.instance},
               {"policies", Json::array()}};
  for (size_t i = 0; i < comparison.scores.size(); ++i) {
    const OfferScore& score = comparison.scores[i];
    Json policy = {{"policy", score.policy},
                   {"objective", JsonOf(score.objective)},
                   {"against_all_slots", JsonOf(score.against_all_slots)},
                   {"against_all_slots_pct", score.against_all_slots_pct},
                   {"cost", JsonOf(score.cost)},
                   {"served", JsonOf(score.served)},
                   {"cost_per_served", score.cost_per_served},
                   {"served_by_type", score.served_by_type},
                   {"vehicles", JsonOf(score.vehicles)},
                   {"objective_by_day", Json::array()}};
    for (const JudgedOffers& day : score.days) policy["objective_by_day"].push_back(day.objective);
    if (!comparison.learned_against.empty()) {
      policy["learned_less_this"] = JsonOf(comparison.learned_against[i]);
    }
    json["policies"].push_back(std::move(policy));
  }
  return JsonText(json) + "\n";
}

}  // namespace dray
