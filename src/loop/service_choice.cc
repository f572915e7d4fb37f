#include "src/loop/service_choice.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/loop/learner_device.h"
#include "src/loop/run_plan.h"
#include "src/loop/trial.h"
#include "src/metrics/format.h"
#include "src/rollout/env_shard.h"

namespace dray {
namespace {

constexpr int kOwnEnvs = 4;     // environments of a shard that has its own service
constexpr int kMostEnvs = 512;  // environments in one timed call
constexpr int kRollouts = 3;    // the fastest counts: the first records launches

}  // namespace

ServiceChoice FastestCandidate(const Service& service, const std::vector<CandidateTime>& times,
                               int envs) {
  DRAY_CHECK(!times.empty());
  const ServiceCandidate& chosen = FirstAboutAsQuick(times, &CandidateTime::step_s).candidate;
  ServiceChoice choice{
      chosen, Cat(service.name, " auto: ", chosen.name, "; ", service.activity, " a step of ",
                  FormatCounted(envs, "environment", "environments"), " takes ")};
  for (const CandidateTime& time : times) {
    choice.why += Cat(&time == &times[0] ? "" : ", ", FormatSignificant(1e3 * time.step_s, 3),
                      " ms by ", time.candidate.name);
  }
  return choice;
}

ServiceChoice TryCandidates(const Service& service, const std::vector<ServiceCandidate>& candidates,
                            int envs,
                            const std::function<double(const EnvConfig& settings)>& time_step) {
  std::vector<CandidateTime> times;
  std::string failures;
  for (const ServiceCandidate& candidate : candidates) {
    const auto trial = RunTrial([&] { return time_step(candidate.settings); });
    if (trial.measured) {
      times.push_back({candidate, *trial.measured});
    } else {
      failures += Cat("; the trial of ", candidate.name, " failed: ", trial.failure);
    }
  }
  const ServiceCandidate& first = candidates.at(0);
  ServiceChoice choice = times.empty()
                             ? ServiceChoice{first, Cat(service.name, " auto: ", first.name)}
                             : FastestCandidate(service, times, envs);
  choice.why += failures;
  return choice;
}

double TimeService(const Config& config, const EnvSpec& spec, int workers) {
  const bool shared = TaskOf(config.env()).service->shared(config.env());
  const RunPlan plan = MakePlan(config, spec);
  const int envs = std::min(plan.num_envs, shared ? kMostEnvs : kOwnEnvs);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = envs}, plan.rollout_steps);
  const std::string weights = UntrainedWeights(config, spec);
  double best_s = INFINITY;
  for (int i = 0; i < kRollouts; ++i) {
    best_s = std::min(best_s, shard.Collect(weights).summary.metrics.Get("time/oracle_s"));
  }
  // A shared service answers all shards at once; otherwise each shard's own answers, side by side.
  const int at_once = shared ? plan.num_envs : (plan.num_envs + workers - 1) / workers;
  return best_s / plan.rollout_steps * at_once / envs;
}

void PlaceService(Config* config) {
  const Task& task = TaskOf(config->env());
  if (!task.service || config->run().device() == AUTO) return;
  task.service->place(config->run().device(), config->mutable_env());
}

std::string ChooseService(const EnvSpec& spec, int workers, Config* config) {
  const Task& task = TaskOf(config->env());
  if (!task.service) return "";
  const std::vector<ServiceCandidate> candidates = task.service->candidates(config->env());
  if (candidates.size() == 1) return "";
  ServiceChoice choice = TryCandidates(*task.service, candidates, MakePlan(*config, spec).num_envs,
                                       [&](const EnvConfig& settings) {
                                         Config tried = *config;
                                         *tried.mutable_env() = settings;
                                         return TimeService(tried, spec, workers);
                                       });
  *config->mutable_env() = std::move(choice.candidate.settings);
  return choice.why;
}

}  // namespace dray
