#include "src/search/search_report.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/output/format.h"
#include "src/output/text_table.h"
#include "src/search/search_curve.h"
#include "src/search/search_pictures.h"
#include "src/search/search_verdict.h"

namespace dray {
namespace {

constexpr size_t kOrdersOnTerminal = 10;

constexpr char kLegend[] =
    "Returns are the task's own reward per episode of the final policies, by their most probable "
    "actions, ± the 95 % interval of\nthe mean over episodes (Student's t), which leaves out the "
    "luck of seeds; model: posterior mean ± standard deviation, which\ncontains it. The k-th "
    "training of every order has the same seed, so that orders are compared on paired seeds. "
    "Compliance:\nshare of actions that followed the workflow; one counts when its policy complied "
    "enough. Regret: what the best workflow up\nto a trial lacks to the best of the whole search.";

// Formats a table cell for people.
std::string Fixed(double value, int decimals) {
  return std::isfinite(value) ? FormatFixed(value, decimals) : "–";
}

// Formats a table cell for programs; empty if the value does not exist.
std::string Exact(double value) { return std::isfinite(value) ? JsonNumber(value) : ""; }

std::string WithInterval(const TrialResult& result) {
  const double ci95 = result.ci95();
  return std::isfinite(ci95) ? Cat(Fixed(result.mean_return, 1), " ± ", Fixed(ci95, 1))
                             : Fixed(result.mean_return, 1);
}

// Ends text with a newline; empty text stays empty.
std::string Line(const std::string& text) { return text.empty() ? text : text + "\n"; }

std::vector<TextRow> OrderRows(const SearchFindings& findings, size_t most) {
  const OrderSearch::Belief belief = findings.search.Believed();
  std::vector<TextRow> rows = {{"workflow", "return (reward)", "compliance", "counts", "episodes",
                                "trainings", "model (reward)"}};
  for (const OrderScore& score : ScoresOf(findings.search, findings.trials)) {
    if (rows.size() > most) break;
    const size_t i = score.order;
    rows.push_back({NameOf(findings, score.order), WithInterval(score.pooled),
                    Fixed(score.pooled.compliance, 2), score.counts ? "yes" : "no",
                    FormatCount(score.pooled.episodes), Cat(score.trials),
                    Cat(Fixed(belief.mean[i], 1), " ± ", Fixed(belief.standard_deviation[i], 1))});
  }
  return rows;
}

std::vector<TextRow> TrialRows(const SearchFindings& findings, bool only_changes) {
  const std::vector<CurvePoint> curve = CurveOf(findings.search, findings.trials, findings.truth);
  TextRow header = {"trial",         "workflow",        "return (reward)",  "compliance",
                    "best (reward)", "regret (reward)", "average (reward)", "time (s)"};
  if (!findings.truth.empty()) header.push_back("to the optimum (reward)");
  std::vector<TextRow> rows = {header};
  for (size_t i = 0; i < curve.size(); ++i) {
    const bool change = i == 0 || curve[i].best_order != curve[i - 1].best_order;
    if (only_changes && !change && i + 1 < curve.size()) continue;
    const auto& [trial, result] = findings.trials[i];
    rows.push_back({Cat(trial.number), NameOf(findings, trial.order), WithInterval(result),
                    Fixed(result.compliance, 2), Fixed(curve[i].best_return, 1),
                    Fixed(curve[i].regret_to_found, 1), Fixed(curve[i].average_return, 1),
                    Fixed(result.seconds, 1)});
    if (!findings.truth.empty()) rows.back().push_back(Fixed(curve[i].regret_to_optimum, 2));
  }
  return rows;
}

std::string BestTrainings(const SearchFindings& findings) {
  std::string text;
  const std::vector<OrderScore> scores = ScoresOf(findings.search, findings.trials);
  if (scores.empty() || !scores.front().counts) return text;
  for (const auto& [trial, result] : findings.trials) {
    if (trial.order != scores.front().order || result.checkpoint.empty()) continue;
    text += Cat("- trial ", trial.number, ", seed ", trial.seed, ": `", result.checkpoint, "`\n");
  }
  return text.empty() ? text : Cat("## Checkpoints of the best\n\n", text, "\n");
}

}  // namespace

std::string OrderText(std::span<const int> order, std::span<const std::string> names) {
  std::string text;
  for (const int item : order) {
    DRAY_CHECK_LT(item, std::ssize(names));
    text += Cat(text.empty() ? "" : " > ", names[item]);
  }
  return text;
}

std::string NameOf(const SearchFindings& findings, int order) {
  return OrderText(findings.search.orders().At(order), findings.names);
}

std::string ResultText(const TrialResult& result) {
  const bool interval = std::isfinite(result.ci95());
  return Cat(WithInterval(result), " (", interval ? "95 % interval, " : "",
             FormatCounted(result.episodes, "episode"), "), compliance ",
             Fixed(result.compliance, 2));
}

std::string BestLine(const SearchFindings& findings) {
  const std::vector<OrderScore> scores = ScoresOf(findings.search, findings.trials);
  if (scores.empty()) return "Best: none yet, no training has finished";
  const OrderScore& first = scores.front();
  if (first.counts) {
    return Cat("Best: ", NameOf(findings, first.order), ": ", ResultText(first.pooled));
  }
  const auto& most =
      *std::ranges::max_element(scores, {}, [](const auto& s) { return s.pooled.compliance; });
  return Cat("Best: none, no policy complied enough (the most: ", Fixed(most.pooled.compliance, 2),
             ", ", NameOf(findings, most.order),
             "): train longer, or lower search.compliance_at_least");
}

std::string ModelLine(const SearchFindings& findings) {
  const OrderSearch::Belief belief = findings.search.Believed();
  const int best = BelievedBest(findings.search, belief.mean);
  if (best < 0) return "";
  const size_t i = best;
  return Cat("By the model: ", NameOf(findings, best), ": ", Fixed(belief.mean[i], 1), " ± ",
             Fixed(belief.standard_deviation[i], 1), " (standard deviation)");
}

std::string SearchText(const SearchFindings& findings) {
  if (findings.trials.empty()) return Cat(BestLine(findings), "\n");
  const size_t orders = ScoresOf(findings.search, findings.trials).size();
  const std::vector<TextRow> best = OrderRows(findings, kOrdersOnTerminal);
  return Cat("The best ", best.size() - 1, " of ", FormatCounted(orders, "trained workflow"), "\n",
             AlignedTable(best), "\nTrials at which the best changed, and the last\n",
             AlignedTable(TrialRows(findings, /*only_changes=*/true)), "\n", kLegend, "\n\n",
             Line(VarianceLine(findings)), Line(ModelLine(findings)), BestLine(findings), "\n");
}

std::string SearchMarkdown(const SearchFindings& findings) {
  std::string text = Cat("**", VerdictLine(findings), "**\n\n# Search over workflows\n\n",
                         findings.title, "\n\n", Line(BestLine(findings)), "\n",
                         Line(ModelLine(findings)), "\n", Line(VarianceLine(findings)), "\n");
  if (findings.trials.empty()) return text;
  text += Cat(kLegend, "\n\n", PictureLinks(findings), "\n## Workflows\n\n",
              MarkdownTable(OrderRows(findings, findings.trials.size())), "\n## Trials\n\n",
              MarkdownTable(TrialRows(findings, /*only_changes=*/false)), "\n",
              BestTrainings(findings));
  return Cat(text, "Files: `search.csv` (a row per trial), `orders.csv` (the posterior of all ",
             findings.search.orders().count(),
             " workflows), `trials.jsonl` (what came of each), `search.json` (all of it for "
             "programs).\n");
}

std::string TrialsCsv(const SearchFindings& findings) {
  const std::vector<CurvePoint> curve = CurveOf(findings.search, findings.trials, findings.truth);
  std::vector<TextRow> rows = {{"trial",
                                "order",
                                "workflow",
                                "seed",
                                "return_mean (reward)",
                                "return_ci95 (reward)",
                                "episodes",
                                "compliance (share)",
                                "counts",
                                "predicted_mean (reward)",
                                "predicted_sd (reward)",
                                "bound (reward)",
                                "best_order",
                                "best_return (reward)",
                                "regret_to_found (reward)",
                                "regret_to_optimum (reward)",
                                "average_return (reward)",
                                "updates",
                                "stopped_early",
                                "time (s)"}};
  for (size_t i = 0; i < curve.size(); ++i) {
    const auto& [trial, result] = findings.trials[i];
    rows.push_back({Cat(trial.number),
                    Cat(trial.order),
                    NameOf(findings, trial.order),
                    Cat(trial.seed),
                    Exact(result.mean_return),
                    Exact(result.ci95()),
                    Cat(result.episodes),
                    Exact(result.compliance),
                    findings.search.Counts(result) ? "1" : "0",
                    Exact(trial.predicted_mean),
                    Exact(trial.predicted_deviation),
                    Exact(trial.bound),
                    curve[i].best_order < 0 ? "" : Cat(curve[i].best_order),
                    Exact(curve[i].best_return),
                    Exact(curve[i].regret_to_found),
                    Exact(curve[i].regret_to_optimum),
                    Exact(curve[i].average_return),
                    Cat(result.updates),
                    result.stopped_early ? "1" : "0",
                    Exact(result.seconds)});
  }
  return CsvTable(rows);
}

std::string OrdersCsv(const SearchFindings& findings) {
  const OrderSearch::Belief belief = findings.search.Believed();
  const std::vector<OrderScore> scores = ScoresOf(findings.search, findings.trials);
  std::vector<TextRow> rows = {{"order", "workflow", "trainings", "counts", "episodes",
                                "return_mean (reward)", "return_ci95 (reward)",
                                "compliance (share)", "posterior_mean (reward)",
                                "posterior_sd (reward)", "upper_bound (reward)"}};
  for (int order = 0; order < findings.search.orders().count(); ++order) {
    const size_t i = order;
    TextRow row = {Cat(order), NameOf(findings, order), "0", "0", "0", "", "", ""};
    const auto found = std::ranges::find(scores, order, &OrderScore::order);
    if (found != scores.end()) {
      const TrialResult& result = found->pooled;
      row = {row[0],
             row[1],
             Cat(found->trials),
             found->counts ? "1" : "0",
             Cat(result.episodes),
             Exact(result.mean_return),
             Exact(result.ci95()),
             Exact(result.compliance)};
    }
    row.push_back(Exact(belief.mean[i]));
    row.push_back(Exact(belief.standard_deviation[i]));
    row.push_back(Exact(belief.upper_bound[i]));
    rows.push_back(std::move(row));
  }
  return CsvTable(rows);
}

void WriteSearchFiles(const SearchFindings& findings, const std::string& folder) {
  WriteFileAtomically(folder + "/search.csv", TrialsCsv(findings));
  WriteFileAtomically(folder + "/orders.csv", OrdersCsv(findings));
  WriteFileAtomically(folder + kSearchJsonFile, SearchJson(findings));
  for (const auto& [name, document] : SearchPictures(findings)) {
    WriteFileAtomically(Cat(folder, "/", name), document);
  }
  WriteFileAtomically(folder + "/report.md", SearchMarkdown(findings));
}

}  // namespace dray
