#include "src/metrics/report_text.h"

#include <cmath>

#include "src/base/error.h"
#include "src/metrics/format.h"
#include "src/metrics/table.h"

namespace dray {
namespace {

constexpr std::string_view kIndent = "    ";

struct Phase {
  const char* metric;
  const char* name;
};
// Of the clock on the wall. The oracle's seconds are the shards' own, several at a time.
constexpr Phase kPhases[] = {
    {"time/rollout_s", "rollout"},   {"time/transfer_s", "transfer"},
    {"time/learn_s", "learn"},       {"time/weights_s", "weights"},
    {"time/evaluate_s", "evaluate"}, {"time/checkpoint_s", "checkpoint"},
};

// Parts of a line, joined by middle dots; an empty part is left out.
class Line {
 public:
  void Add(const std::string& part) {
    if (part.empty()) return;
    text_ += (text_.empty() ? "" : " · ") + part;
  }
  // Adds the part that `format` makes of a metric, when the report has it.
  template <typename Format>
  void AddMetric(const Report& report, const char* name, Format format) {
    if (report.Has(name)) Add(format(report.Get(name)));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string Count(double value) {
  return std::isfinite(value) ? FormatCount(std::llround(value)) : FormatFixed(value, 0);
}

std::string OfTotal(double value, int64_t total) {
  return total > 0 ? Cat(Count(value), "/", FormatCount(total)) : Count(value);
}

std::string ProgressLine(const RunHeader& header, const Report& report, const Paint& paint) {
  Line line;
  line.Add(paint.Strong(Cat("epoch ", OfTotal(static_cast<double>(report.epoch), header.epochs))));
  line.AddMetric(report, "completed_episodes",
                 [&](double value) { return "episodes " + OfTotal(value, header.episodes); });
  line.AddMetric(report, "episode/return_mean", [&](double value) {
    return Cat("return ", paint.Good(FormatFixed(value, 1)), " (last 100)");
  });
  line.AddMetric(report, "episode/length_mean",
                 [](double value) { return Cat("length ", FormatFixed(value, 0), " steps"); });
  line.AddMetric(report, "total_steps", [](double value) { return Count(value) + " steps"; });
  line.AddMetric(report, "time/steps_per_s",
                 [](double value) { return Count(value) + " steps/s"; });
  line.AddMetric(report, "time/eta_s", [](double value) { return "ETA " + FormatDuration(value); });
  return line.text();
}

std::string LearnerLine(const Report& report) {
  Line line;
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
  return line.text();
}

std::string TimeLine(const Report& report) {
  double total = 0;
  for (const Phase& phase : kPhases) {
    if (report.Get(phase.metric) > 0) total += report.Get(phase.metric);
  }
  Line line;
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
  if (line.text().empty()) return "";
  line.AddMetric(report, "time/elapsed_s",
                 [](double value) { return "elapsed " + FormatDuration(value); });
  line.AddMetric(report, "cpu/busy",
                 [](double value) { return "cores busy " + FormatPercent(value); });
  line.AddMetric(report, "gpu/busy",
                 [](double value) { return "GPU busy " + FormatPercent(value); });
  line.AddMetric(report, "memory/rss_mb",
                 [](double value) { return "memory " + FormatBytes(1e6 * value); });
  return "time: " + line.text();
}

std::string StatLine(const Report& report, std::string_view prefix, const char* title) {
  Line line;
  for (const auto& [name, value] : report.values) {
    if (!name.starts_with(prefix)) continue;
    line.Add(Cat(name.substr(prefix.size()), " ", FormatSignificant(value, 4)));
  }
  return line.text().empty() ? "" : title + line.text();
}

std::string TroubleLine(const Report& report, const Paint& paint) {
  Line line;
  const auto add = [&](const char* metric, const char* what, const char* one, const char* many) {
    const double count = report.Get(metric);
    if (count > 0) line.Add(Cat(FormatCounted(std::llround(count), one, many), " ", what));
  };
  add("batches/dropped", "dropped as too old", "batch", "batches");
  add("batches/lost", "lost", "batch", "batches");
  add("actors/restarted", "restarted", "actor", "actors");
  return line.text().empty() ? "" : paint.Warning("so far: " + line.text());
}

std::string LagLine(const Report& report) {
  if (!(report.Get("lag/max") > 0)) return "";
  return Cat("policy lag: min ", Count(report.Get("lag/min")), " · mean ",
             FormatFixed(report.Get("lag/mean"), 1), " · max ", Count(report.Get("lag/max")),
             " updates");
}

}  // namespace

std::string Paint::Wrap(std::string_view code, std::string_view text) const {
  return colours_ ? Cat("\x1b[", code, "m", text, "\x1b[0m") : std::string(text);
}

std::string EvaluationText(const Report& report, const Paint& paint) {
  if (!report.Has("eval/return_mean")) return "";
  Line line;
  std::string score = "return " + paint.Good(FormatFixed(report.Get("eval/return_mean"), 1));
  if (report.Has("eval/return_ci95")) {
    score += Cat(" ± ", FormatFixed(report.Get("eval/return_ci95"), 1), " (95% CI, ",
                 Count(report.Get("eval/episodes")), " episodes)");
  }
  line.Add(score);
  line.AddMetric(report, "eval/length_mean",
                 [](double value) { return Cat("length ", FormatFixed(value, 0), " steps"); });
  return line.text();
}

std::vector<std::string> ReportText(const RunHeader& header, const Report& report,
                                    const Paint& paint) {
  std::vector<std::string> lines = {ProgressLine(header, report, paint)};
  const auto add = [&](const std::string& line) {
    if (!line.empty()) lines.push_back(Cat(kIndent, line));
  };
  const auto add_faint = [&](const std::string& line) {
    if (!line.empty()) add(paint.Faint(line));
  };
  add(LearnerLine(report));
  add(StatLine(report, kEpisodeStatPrefix, "episodes: "));
  add(StatLine(report, kRolloutStatPrefix, "rollouts: "));
  add_faint(TimeLine(report));
  add_faint(LagLine(report));
  add(TroubleLine(report, paint));
  if (report.Has("eval/return_mean")) add("evaluation: " + EvaluationText(report, paint));
  return lines;
}

}  // namespace dray
