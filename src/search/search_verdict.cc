#include "src/search/search_verdict.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/output/format.h"
#include "src/search/search_curve.h"

namespace dray {
namespace {

using Verdict = OrderEffect::Verdict;

std::string MattersText(const SearchFindings& findings, const OrderEffect& effect) {
  return Cat("The order matters: ", NameOf(findings, effect.best),
             " is better than the median order by ", FormatFixed(effect.better_by, 1), " ± ",
             FormatFixed(effect.better_by_ci95, 1), " (95 % interval, paired seeds, ",
             FormatCounted(effect.trainings, "training"), "), p = ", FormatFixed(effect.p, 3));
}

std::string NotSeenText(const OrderEffect& effect) {
  const std::string visible =
      std::isfinite(effect.visible)
          ? Cat("differences between orders of more than about ", FormatFixed(effect.visible, 1),
                " would probably have been seen")
          : std::string("only very large differences would have been seen: train more workflows");
  return Cat("No effect of the order can be seen in ", FormatCounted(effect.trainings, "training"),
             " (p = ", FormatFixed(effect.p, 2), "; ", visible, ")");
}

Json NamesOf(const SearchFindings& findings, int order) {
  if (order < 0) return nullptr;
  Json names = Json::array();
  for (const int item : findings.search.orders().At(order)) {
    names.push_back(findings.names[item]);
  }
  return names;
}

Json VerdictJson(const SearchFindings& findings) {
  if (!findings.effect) return {{"verdict", nullptr}, {"text", VerdictLine(findings)}};
  const OrderEffect& effect = *findings.effect;
  const char* names[] = {"too few trainings", "not seen", "matters"};
  const bool examined = effect.verdict != Verdict::kTooFewTrainings;
  const bool not_seen = effect.verdict == Verdict::kNotSeen;
  return {{"verdict", names[static_cast<int>(effect.verdict)]},
          {"text", VerdictLine(findings)},
          {"p", examined ? Json(effect.p) : Json()},
          {"trainings", effect.trainings},
          {"best", NamesOf(findings, effect.best)},
          {"median", NamesOf(findings, effect.median)},
          {"better_by", effect.better_by},
          {"better_by_ci95", effect.better_by_ci95},
          {"visible_difference", not_seen ? Json(effect.visible) : Json()}};
}

Json OrdersJson(const SearchFindings& findings, const OrderSearch::Belief& belief) {
  const std::vector<OrderScore> scores = ScoresOf(findings.search, findings.trials);
  Json orders = Json::array();
  for (int order = 0; order < findings.search.orders().count(); ++order) {
    const size_t i = order;
    const auto found = std::ranges::find(scores, order, &OrderScore::order);
    const bool trained = found != scores.end();
    orders.push_back({{"workflow", NamesOf(findings, order)},
                      {"trainings", trained ? found->trials : 0},
                      {"counts", trained && found->counts},
                      {"return_mean", trained ? Json(found->pooled.mean_return) : Json()},
                      {"compliance", trained ? Json(found->pooled.compliance) : Json()},
                      {"posterior_mean", belief.mean[i]},
                      {"posterior_sd", belief.standard_deviation[i]},
                      {"upper_bound", belief.upper_bound[i]}});
  }
  return orders;
}

Json TrialsJson(const SearchFindings& findings) {
  Json trials = Json::array();
  for (const auto& [trial, result] : findings.trials) {
    trials.push_back({{"trial", trial.number},
                      {"workflow", NamesOf(findings, trial.order)},
                      {"seed", trial.seed},
                      {"return_mean", result.mean_return},
                      {"return_ci95", result.ci95()},
                      {"episodes", result.episodes},
                      {"compliance", result.compliance},
                      {"counts", findings.search.Counts(result)},
                      {"predicted_mean", trial.predicted_mean},
                      {"predicted_sd", trial.predicted_deviation},
                      {"bound", trial.bound},
                      {"updates", result.updates},
                      {"stopped_early", result.stopped_early},
                      {"seconds", result.seconds},
                      {"checkpoint", result.checkpoint}});
  }
  return trials;
}

}  // namespace

std::string VerdictLine(const SearchFindings& findings) {
  if (!findings.effect) {
    return "No verdict yet: whether the order matters is said at the end of the search";
  }
  const OrderEffect& effect = *findings.effect;
  switch (effect.verdict) {
    case Verdict::kMatters:
      return MattersText(findings, effect);
    case Verdict::kNotSeen:
      return NotSeenText(effect);
    case Verdict::kTooFewTrainings:
      break;
  }
  return Cat("Too few trainings to tell whether the order matters: ", effect.trainings, " of ",
             findings.trials.size(), " count, ", kLeastTrainings, " are needed");
}

std::string VarianceLine(const SearchFindings& findings) {
  std::set<double> different;
  for (const auto& [trial, result] : findings.trials) {
    if (findings.search.Counts(result)) different.insert(result.mean_return);
  }
  if (different.size() < 3) return "";
  const OrderSearch::Belief belief = findings.search.Believed();
  return Cat("The model: ", FormatPercent(belief.order_share),
             " of the variance between trainings (rho) comes from the order: standard deviation ",
             FormatFixed(belief.order_deviation, 1), " between orders, ",
             FormatFixed(belief.seed_deviation, 1), " between seeds (reward)");
}

std::string SearchJson(const SearchFindings& findings) {
  const OrderSearch::Belief belief = findings.search.Believed();
  Json json = VerdictJson(findings);
  json["order_share"] = belief.order_share;
  json["order_sd"] = belief.order_deviation;
  json["seed_sd"] = belief.seed_deviation;
  json["orders"] = OrdersJson(findings, belief);
  json["trials"] = TrialsJson(findings);
  return JsonText(json) + "\n";
}

}  // namespace dray
