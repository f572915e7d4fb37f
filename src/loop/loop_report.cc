#include "src/loop/loop_report.h"

#include <numeric>

#include "src/base/error.h"
#include "src/learn/divergence.h"
#include "src/metrics/table.h"

namespace dray {
namespace {

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void RecordCounters(const Coordinator& loop, Report& report) {
  const LoopCounters& counters = loop.counters();
  report.epoch = counters.epochs;
  report.Record("update", counters.updates);
  report.Record("policy_version", counters.policy_version);
  report.Record("total_steps", counters.total_steps);
  report.Record("completed_episodes", counters.completed_episodes);
  report.Record("progress", loop.progress());
}

void RecordUpdate(const UpdateReport& update, Report& report) {
  for (const Metric& metric : Metrics()) {
    if (metric.combine != Combine::kLast || !update.metrics.Has(metric.name)) continue;
    report.Record(metric.name, update.metrics.Get(metric.name));
  }
}

std::string DivergenceLine(const UpdateReport& update, const UpdateReport& before,
                           PpoConfig::OnDivergence on_divergence) {
  const std::string what = Describe(update.divergence, update.signs, update.most_credible_value);
  if (update.restored) {
    return Cat("Diverged: ", what, ". Back to the last good policy, with half the learning rate");
  }
  if (what.empty() || before.divergence != Divergence::kNone) return "";
  const char* then = on_divergence == PpoConfig::WARN   ? "the run continues"
                     : on_divergence == PpoConfig::STOP ? "the run stops"
                                                        : "the last good policy returns";
  return Cat("Warning: ", what, "; after ", DivergenceWatch::kPatience, " updates like this one ",
             then,
             " (ppo.on_divergence). A lower ppo.learning_rate or a "
             "set ppo.max_grad_norm helps");
}

void RecordLosses(const Coordinator& loop, Report& report) {
  const LoopCounters& counters = loop.counters();
  report.Record("batches/collected", counters.batches_collected - loop.batches_under_way());
  report.Record("batches/trained", counters.batches_trained);
  report.Record("batches/dropped", counters.batches_dropped);
  report.Record("batches/lost", counters.batches_lost);
  report.Record("batches/undone", counters.batches_undone);
  report.Record("updates/undone", counters.updates_undone);
  report.Record("actors/restarted", counters.actors_restarted);
}

void RecordEvaluation(const EvaluationReport& evaluation,
                      const std::vector<std::string>& stat_names, Report& report) {
  const Spread returns = RewardOf(evaluation);
  report.Record("eval/return_mean", returns.mean);
  report.Record("eval/return_std", returns.std);
  report.Record("eval/return_ci95", returns.ci95);
  if (!evaluation.reference_returns.empty()) {
    const Spread gain = GainOf(evaluation);
    const double reference = Mean(evaluation.reference_returns);
    report.Record("eval/gain_mean", gain.mean);
    report.Record("eval/gain_ci95", gain.ci95);
    report.Record("eval/reference_return", reference);
    report.Record("eval/rival_gain", Mean(evaluation.rival_returns) - reference);
  }
  report.Record("eval/length_mean", evaluation.mean_length());
  const double count = evaluation.episodes.size();
  report.Record("eval/episodes", count);
  for (size_t i = 0; i < stat_names.size(); ++i) {
    double sum = 0;
    for (const Episode& episode : evaluation.episodes) sum += episode.stats.at(i);
    report.Record(Cat(kEvalStatPrefix, stat_names[i]), sum / count);
  }
}

}  // namespace dray
