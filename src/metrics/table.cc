#include "src/metrics/table.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr Metric kMetrics[] = {
    {"epoch", "epochs", "Epochs collected so far"},
    {"update", "updates", "Updates of the learner so far"},
    {"policy_version", "versions", "Version of the newest published policy"},
    {"total_steps", "steps", "Environment steps so far, over all environments"},
    {"completed_episodes", "episodes", "Episodes that ended so far, over all environments"},
    {"progress", "fraction", "Fraction of the run completed, from 0 to 1"},

    {"episode/return_mean", "reward", "Mean return of the last 100 training episodes"},
    {"episode/return_std", "reward", "Standard deviation of the last 100 episodes' returns"},
    {"episode/return_min", "reward", "Lowest return among the last 100 episodes"},
    {"episode/return_max", "reward", "Highest return among the last 100 episodes"},
    {"episode/length_mean", "steps", "Mean length of the last 100 training episodes"},

    {"train/policy_loss", "", "Clipped surrogate loss of the policy, mean over the update",
     Combine::kLast},
    {"train/value_loss", "", "Half the mean squared error of the value, mean over the update",
     Combine::kLast},
    {"train/entropy", "nats", "Mean entropy of the policy", Combine::kLast},
    {"train/kl_k1", "nats", "KL divergence from the acting policy, estimator -log r",
     Combine::kLast},
    {"train/kl_k3", "nats", "KL divergence from the acting policy, estimator r - 1 - log r",
     Combine::kLast},
    {"train/clip_fraction", "fraction", "Fraction of samples whose ratio left the clip range",
     Combine::kLast},
    {"train/appraisal_loss", "",
     "Half the mean squared error of the logits against the environment's appraisals, mean over "
     "the update",
     Combine::kLast},
    {"train/explained_variance", "fraction", "1 - Var(returns - values) / Var(returns)",
     Combine::kLast},
    {"train/grad_norm", "", "Norm of the gradient before it is clipped, mean over the update",
     Combine::kLast},
    {"train/gradient_signal", "fraction",
     "Fraction of a minibatch's squared gradient common to all minibatches of the first pass; the "
     "rest is sampling noise",
     Combine::kLast},
    {"train/learning_rate", "", "Adam's step size in this update", Combine::kLast},
    {"train/value_learning_rate", "", "Adam's step size for the critic, if it has its own",
     Combine::kLast},
    {"train/clip_range", "", "Clip range of the ratio in this update", Combine::kLast},
    {"train/policy_epochs_run", "passes",
     "Passes over the batch; fewer if target_kl stopped the update", Combine::kLast},
    {"train/first_ratio_error", "", "Largest |ratio - 1| of the update's first minibatch",
     Combine::kLast},

    {"lag/min", "updates", "Smallest age of the policy behind a batch of this update",
     Combine::kLast},
    {"lag/mean", "updates", "Mean age of the policies behind this update's batches",
     Combine::kLast},
    {"lag/max", "updates", "Largest age of the policy behind a batch of this update",
     Combine::kLast},

    {"batches/collected", "batches",
     "Batches so far that were trained, dropped, lost or undone, excluding those under way"},
    {"batches/trained", "batches", "Batches so far that the policy was trained on"},
    {"batches/dropped", "batches", "Batches so far that were too old to learn from"},
    {"batches/lost", "batches", "Batches so far that were lost with their actor"},
    {"batches/undone", "batches", "Batches so far of updates that were undone"},
    {"updates/undone", "updates",
     "Updates so far that were lost with the learner, whose replacement continued from before "
     "them"},
    {"actors/restarted", "actors", "Actors restarted so far"},
    {"writes/failed", "writes",
     "Writes of reports, checkpoints and console output that failed since this process began"},

    {"eval/return_mean", "reward", "Mean return of the deterministic evaluation"},
    {"eval/return_std", "reward", "Standard deviation of the evaluation's returns"},
    {"eval/return_ci95", "reward", "Half width of the 95 % confidence interval of the mean return"},
    {"eval/gain_mean", "reward",
     "Mean return of the evaluation above that of the task's reference policy on the same "
     "episodes"},
    {"eval/gain_ci95", "reward",
     "Half width of the 95 % confidence interval of eval/gain_mean, episode by episode"},
    {"eval/reference_return", "reward", "Mean return of the reference policy on the same episodes"},
    {"eval/rival_gain", "reward",
     "Mean return of the policy to beat above that of the reference policy"},
    {"eval/length_mean", "steps", "Mean length of the evaluation's episodes"},
    {"eval/episodes", "episodes", "Episodes of the evaluation"},

    {"time/rollout_s", "s",
     "Time stepping environments inline, or waiting for shards, since the last report"},
    {"time/shards_s", "s", "Time of rollouts, summed over shards, since the last report"},
    {"time/oracle_s", "s",
     "Time the oracle took to answer, summed over shards, since the last report"},
    {"time/transfer_s", "s", "Time moving batches to the learner, since the last report"},
    {"time/learn_s", "s", "Time of the learner's updates, since the last report"},
    {"time/learner_threads", "threads", "Learner threads in use at the end of the last update",
     Combine::kLast},
    {"time/weights_s", "s", "Time publishing and loading weights, since the last report"},
    {"time/evaluate_s", "s", "Time of evaluations, since the last report"},
    {"time/checkpoint_s", "s", "Time writing checkpoints, since the last report"},
    {"time/elapsed_s", "s", "Wall-clock time since training began"},
    {"time/steps_per_s", "steps/s", "Environment steps per second, since the last report"},
    {"time/eta_s", "s", "Estimated time to the end of the run"},

    {"time/weights_latency_ms", "ms",
     "Median time from publishing a policy until a shard has loaded it, since the last report",
     Combine::kMedian},

    {"search/return_mean", "reward",
     "Mean return over the episodes of a training's last update (a search's epochs are trials)"},
    {"search/compliance", "fraction",
     "Fraction of actions that followed the workflow over the same episodes"},
    {"search/best_return", "reward",
     "Mean return of the best workflow so far that complied enough"},
    {"search/regret", "reward",
     "Difference between search/best_return and the trial's mean return"},
    {"search/average_return", "reward", "Mean of search/return_mean over the trials so far"},

    {"cpu/busy", "fraction",
     "Fraction of time the reporting machine's cores were busy with any work, since the last "
     "report"},
    {"gpu/busy", "fraction",
     "Fraction of time the reporting machine's NVIDIA GPUs ran any kernels, since the last report"},
    {"memory/rss_mb", "MB", "Resident memory of the reporting process"},
    {"memory/gpu_mb", "MB", "Memory in use on the reporting machine's GPUs, by any process"},
    {"memory/oracle_splits", "batches",
     "Oracle batches so far that were split because memory ran out", Combine::kTotal},
    {"memory/learner_splits", "minibatches",
     "Minibatches or parts of them so far that were split because memory ran out", Combine::kTotal},
};

// Figures of each actor, since the last report.
constexpr Metric kActorFigures[] = {
    {"busy_s", "s", "An actor's time in its role, since the last report"},
    {"waiting_s", "s", "An actor's idle time, since the last report"},
    {"transfer_s", "s",
     "Time from calls of an actor to their replies, minus busy_s, since the last report"},
    {"memory_mb", "MB", "Resident memory of an actor's process"},
};

bool IsActorFigure(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == 0 || slash == std::string_view::npos) return false;
  const bool named = std::ranges::all_of(name.substr(0, slash), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  return named && std::ranges::any_of(kActorFigures, [&](const Metric& figure) {
           return figure.name == name.substr(slash + 1);
         });
}

bool IsStatName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool IsEnvFigure(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == 0 || slash == std::string_view::npos) return false;
  const bool numbered =
      std::ranges::all_of(name.substr(0, slash), [](char c) { return c >= '0' && c <= '9'; });
  const std::string_view figure = name.substr(slash + 1);
  constexpr std::string_view kStat = "stat/";
  return numbered && (figure == "episodes" || figure == "return" ||
                      (figure.starts_with(kStat) && IsStatName(figure.substr(kStat.size()))));
}

std::string Row(std::string_view name, std::string_view unit, std::string_view help) {
  std::string escaped;
  for (const char c : help) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return Cat("| `", name, "` | ", unit, " | ", escaped, " |\n");
}

}  // namespace

std::span<const Metric> Metrics() { return kMetrics; }

const Metric* FindMetric(std::string_view name) {
  const auto* row = std::find_if(std::begin(kMetrics), std::end(kMetrics),
                                 [&](const Metric& metric) { return metric.name == name; });
  return row == std::end(kMetrics) ? nullptr : row;
}

bool IsMetricName(std::string_view name) {
  for (const std::string_view prefix : {kEpisodeStatPrefix, kEvalStatPrefix, kRolloutStatPrefix}) {
    if (name.starts_with(prefix)) return IsStatName(name.substr(prefix.size()));
  }
  if (name.starts_with(kActorPrefix)) return IsActorFigure(name.substr(kActorPrefix.size()));
  if (name.starts_with(kEnvPrefix)) return IsEnvFigure(name.substr(kEnvPrefix.size()));
  return FindMetric(name) != nullptr;
}

bool DependsOnMachine(std::string_view name) {
  for (const std::string_view prefix :
       {std::string_view("time/"), std::string_view("cpu/"), std::string_view("gpu/"),
        std::string_view("memory/"), kActorPrefix}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

std::string MetricsReference() {
  std::string page =
      "# Metrics\n\n"
      "Generated from `src/metrics/table.cc` by `scripts/generate.sh`; do not edit.\n\n"
      "Each line of a run's `metrics.jsonl` is one report: an object with these names as keys. "
      "TensorBoard\nshows the same numbers over `total_steps`. A number that is not finite is "
      "`null`. Names that start\nwith `time/`, `memory/` or `actor/` depend on the machine; all "
      "others are "
      "the same for the same seed and\nconfiguration.\n\n"
      "| name | unit | meaning |\n| --- | --- | --- |\n";
  for (const Metric& metric : kMetrics) page += Row(metric.name, metric.unit, metric.help);
  for (const Metric& figure : kActorFigures) {
    page += Row(Cat(kActorPrefix, "<name>/", figure.name), figure.unit, figure.help);
  }
  return page +
         Row(Cat(kEpisodeStatPrefix, "<name>"), "",
             "An environment's own episode statistic, mean of the last 100 episodes") +
         Row(Cat(kEvalStatPrefix, "<name>"), "", "The same, mean of the evaluation's episodes") +
         Row(Cat(kRolloutStatPrefix, "<name>"), "",
             "An environment's own rollout statistic since the last report, sum or mean over "
             "shards and epochs") +
         Row(Cat(kEnvPrefix, "<name>/episodes"), "episodes",
             "Episodes finished by this environment, for tasks that report environments "
             "individually") +
         Row(Cat(kEnvPrefix, "<name>/return"), "reward",
             "Return of this environment's last episode, for the same tasks") +
         Row(Cat(kEnvPrefix, "<name>/stat/<name>"), "",
             "The task's own statistic of this environment's last episode, for the same tasks");
}

}  // namespace dray
