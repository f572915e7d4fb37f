#include "src/output/report_text.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/metrics/table.h"
#include "src/output/format.h"
#include "src/output/wrapped_line.h"

namespace dray {
namespace {

constexpr std::string_view kIndent = "      ";  // as wide as "100%  "

struct Phase {
  const char* metric;
  const char* name;
};
// Phases measured by wall clock. The oracle's seconds are summed over shards instead.
constexpr Phase kPhases[] = {
    {"time/rollout_s", "rollout"},   {"time/transfer_s", "transfer"},
    {"time/learn_s", "learn"},       {"time/weights_s", "weights"},
    {"time/evaluate_s", "evaluate"}, {"time/checkpoint_s", "checkpoint"},
};

std::string Count(double value) {
  return std::isfinite(value) ? FormatCount(std::llround(value)) : FormatFixed(value, 0);
}

std::string Counted(double value, const char* one) {
  return std::isfinite(value) ? FormatCounted(std::llround(value), one) : Cat("n/a ", one, "s");
}

std::string OfTotal(double value, int64_t total) {
  return total > 0 ? Cat(Count(value), "/", FormatCount(total)) : Count(value);
}

// Formats 12,345, or 1.23M from a million on.
std::string Speed(double value) {
  return (value < 999'500 ? Count(value) : FormatSignificant(value / 1e6, 3) + "M") + " steps/s";
}

std::string Percent(double progress) {
  if (!std::isfinite(progress)) return "";
  std::string text = Cat(std::floor(100 * std::clamp(progress, 0.0, 1.0)), "%");
  return std::string(4 - std::min<size_t>(4, text.size()), ' ') + text + "  ";
}

WrappedLine Progress(const RunHeader& header, const Report& report, const ReturnTrend& trend,
                     const Paint& paint) {
  WrappedLine line;
  line.Add(paint.Strong(Cat("epoch ", OfTotal(report.epoch, header.epochs))));
  line.Add(GainText(header, trend.compared(), paint));
  line.AddMetric(report, "episode/return_mean", [&](double value) {
    const std::string arrow = std::isfinite(value) ? trend.arrow() : "";
    return Cat("return ", paint.Good(FormatFixed(value, 1)), arrow.empty() ? "" : " ", arrow);
  });
  if (std::isfinite(trend.best_return())) {
    line.Add("best " + FormatFixed(trend.best_return(), 1));
  }
  line.AddMetric(report, "time/steps_per_s", Speed);
  line.AddMetric(report, "time/eta_s", FormatEta);
  return line;
}

std::string Evaluation(const Report& report, const ReturnTrend& trend, const Paint& paint) {
  if (!report.Has("eval/return_mean")) return "";
  const double mean = report.Get("eval/return_mean");
  std::string text = "evaluation " + paint.Good(FormatFixed(mean, 1));
  if (report.Has("eval/return_ci95"))
    text += " ± " + FormatFixed(report.Get("eval/return_ci95"), 1);
  return text + (mean < trend.best_evaluation()
                     ? Cat(" (best ", FormatFixed(trend.best_evaluation(), 1), ")")
                     : std::string(" (best)"));
}

WrappedLine LearnerLine(const Report& report) {
  WrappedLine line;
  const auto add = [&](const char* metric, const char* name, const char* unit) {
    line.AddMetric(report, metric,
                   [&](double value) { return Cat(name, " ", FormatSignificant(value, 3), unit); });
  };
  add("train/policy_loss", "policy loss", "");
  add("train/value_loss", "value loss", "");
  add("train/entropy", "entropy", " nats");
  add("train/kl_k3", "KL", " nats");
  line.AddMetric(report, "train/clip_fraction",
                 [](double value) { return "clipped " + FormatPercent(value); });
  line.AddMetric(report, "train/explained_variance",
                 [](double value) { return "explained variance " + FormatPercent(value); });
  add("train/learning_rate", "learning rate", "");
  return line;
}

WrappedLine TimeLine(const Report& report) {
  double total = 0;
  for (const Phase& phase : kPhases) {
    if (report.Get(phase.metric) > 0) total += report.Get(phase.metric);
  }
  WrappedLine line;
  for (const Phase& phase : kPhases) {
    const double seconds = report.Get(phase.metric);
    if (!(seconds > 0)) continue;
    std::string text =
        Cat(phase.name, " ", FormatPercent(seconds / total), " (", FormatDuration(seconds));
    const double oracle = report.Get("time/oracle_s") / report.Get("time/shards_s");
    if (phase.metric == kPhases[0].metric && oracle > 0) {
      text += Cat(", ", FormatPercent(oracle), " of it oracle");
    }
    line.Add(text + ")");
  }
  if (line.empty()) return line;
  line.AddMetric(report, "time/elapsed_s",
                 [](double value) { return "elapsed " + FormatDuration(value); });
  line.AddMetric(report, "cpu/busy",
                 [](double value) { return "cores busy " + FormatPercent(value); });
  line.AddMetric(report, "gpu/busy",
                 [](double value) { return "GPU busy " + FormatPercent(value); });
  line.AddMetric(report, "memory/rss_mb",
                 [](double value) { return "memory " + FormatBytes(1e6 * value); });
  return line;
}

WrappedLine EpisodeLine(const Report& report) {
  WrappedLine line;
  line.AddMetric(report, "completed_episodes",
                 [](double value) { return Count(value) + " ended"; });
  line.AddMetric(report, "episode/length_mean",
                 [](double value) { return "length " + Counted(value, "step"); });
  line.AddMetric(report, "total_steps",
                 [](double value) { return Counted(value, "step") + " in all"; });
  return line;
}

void AddStats(const Report& report, std::string_view prefix, WrappedLine* line) {
  for (const auto& [name, value] : report.values) {
    if (!name.starts_with(prefix)) continue;
    line->Add(Cat(name.substr(prefix.size()), " ", FormatSignificant(value, 4)));
  }
}

WrappedLine TroubleLine(const Report& report) {
  WrappedLine line;
  const auto add = [&](const char* metric, const char* what, const char* one,
                       const char* many = "") {
    const double count = report.Get(metric);
    if (count > 0) line.Add(Cat(FormatCounted(std::llround(count), one, many), " ", what));
  };
  add("batches/dropped", "dropped as too old", "batch", "batches");
  add("batches/lost", "lost", "batch", "batches");
  add("updates/undone", "undone", "update");
  add("actors/restarted", "restarted", "actor");
  return line;
}

WrappedLine LagLine(const Report& report) {
  WrappedLine line;
  if (!(report.Get("lag/max") > 0)) return line;
  line.Add("min " + Count(report.Get("lag/min")));
  line.Add("mean " + FormatFixed(report.Get("lag/mean"), 1));
  line.Add("max " + Counted(report.Get("lag/max"), "update"));
  return line;
}

}  // namespace

std::string GainText(const RunHeader& header, const Report& report, const Paint& paint) {
  if (!report.Has("eval/gain_mean")) return "";
  const double gain = report.Get("eval/gain_mean"), margin = report.Get("eval/gain_ci95");
  const double reference = report.Get("eval/reference_return");
  const double rival = report.Get("eval/rival_gain");
  const int digits = std::abs(gain) < 10 && std::abs(rival) < 10 ? 1 : 0;
  std::string text =
      Cat(reference < 0 ? "saves " : "gains ", paint.Good(FormatFixed(gain, digits)));
  if (std::isfinite(margin)) text += " ± " + FormatFixed(margin, digits);
  if (reference < 0) text += " of " + FormatFixed(-reference, 0);
  if (!header.return_unit.empty()) text += " " + header.return_unit;
  return Cat(text, "; ", header.rival, " ", FormatFixed(rival, digits));
}

std::string EvaluationText(const Report& report, const Paint& paint) {
  if (!report.Has("eval/return_mean")) return "";
  WrappedLine line;
  std::string score = "return " + paint.Good(FormatFixed(report.Get("eval/return_mean"), 1));
  if (report.Has("eval/return_ci95")) {
    score += Cat(" ± ", FormatFixed(report.Get("eval/return_ci95"), 1), " (95% CI, ",
                 Counted(report.Get("eval/episodes"), "episode"), ")");
  }
  line.Add(score);
  line.AddMetric(report, "eval/length_mean",
                 [](double value) { return "length " + Counted(value, "step"); });
  return line.text();
}

std::vector<std::string> ReportText(const RunHeader& header, const Report& report,
                                    const ReturnTrend& trend, size_t columns, const Paint& paint) {
  WrappedLine line = Progress(header, report, trend, paint);
  if (!report.Has("eval/gain_mean")) line.Add(Evaluation(report, trend, paint));
  return line.Wrapped(columns, Percent(report.Get("progress")), kIndent);
}

std::vector<std::string> DetailText(const Report& report, size_t columns, const Paint& paint) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view title, const WrappedLine& line) {
    const std::string rest = Cat(kIndent, "  ");
    for (std::string& each : line.Wrapped(columns, Cat(kIndent, title), rest)) {
      lines.push_back(std::move(each));
    }
  };
  add("learner: ", LearnerLine(report));
  WrappedLine episodes = EpisodeLine(report);
  AddStats(report, kEpisodeStatPrefix, &episodes);
  add("episodes: ", episodes);
  WrappedLine rollouts;
  AddStats(report, kRolloutStatPrefix, &rollouts);
  add("rollouts: ", rollouts);
  add("time: ", TimeLine(report));
  add("policy lag: ", LagLine(report));
  for (std::string& line : lines) line = paint.Faint(line);
  const size_t plain = lines.size();
  add("so far: ", TroubleLine(report));
  for (size_t i = plain; i < lines.size(); ++i) lines[i] = paint.Warning(lines[i]);
  return lines;
}

}  // namespace dray
