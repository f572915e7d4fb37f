#include "src/loop/oracle_choice.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/base/trial.h"
#include "src/config/fields.h"
#include "src/envs/registry.h"
#include "src/learn/learner_device.h"
#include "src/loop/run_plan.h"
#include "src/metrics/format.h"
#include "src/oracle/registry.h"
#include "src/rollout/env_shard.h"

namespace dray {
namespace {

constexpr int kOwnEnvs = 4;     // of a shard whose oracle is its own
constexpr int kMostEnvs = 512;  // in one call that is timed
constexpr int kRollouts = 3;    // of which the quickest counts: the first records launches

std::string NameOf(const OracleConfig& oracle) {
  const auto text = [&](const char* field) {
    return ValueText(oracle, *OracleConfig::descriptor()->FindFieldByName(field));
  };
  return oracle.kind() == OracleConfig::NEURAL ? Cat("neural on ", text("device")) : text("kind");
}

}  // namespace

OracleChoice QuickestOracle(const std::vector<PricingTime>& times, int envs) {
  DRAY_CHECK(!times.empty());
  const OracleConfig& chosen = FirstAboutAsQuick(times, &PricingTime::step_s).oracle;
  OracleChoice choice{chosen, Cat("oracle auto: ", NameOf(chosen), "; pricing a step of ",
                                  FormatCounted(envs, "environment", "environments"), " takes ")};
  for (const PricingTime& time : times) {
    choice.why += Cat(&time == &times[0] ? "" : ", ", FormatSignificant(1e3 * time.step_s, 3),
                      " ms by ", NameOf(time.oracle));
  }
  return choice;
}

OracleChoice TryOracles(const std::vector<OracleConfig>& candidates, int envs,
                        const std::function<double(const OracleConfig&)>& time_pricing) {
  std::vector<PricingTime> times;
  std::string failures;
  for (const OracleConfig& candidate : candidates) {
    const auto trial = RunTrial([&] { return time_pricing(candidate); });
    if (trial.measured) {
      times.push_back({candidate, *trial.measured});
    } else {
      failures += Cat("; the trial of ", NameOf(candidate), " failed: ", trial.failure);
    }
  }
  OracleChoice choice =
      times.empty() ? OracleChoice{candidates.at(0), Cat("oracle auto: ", NameOf(candidates[0]))}
                    : QuickestOracle(times, envs);
  choice.why += failures;
  return choice;
}

double TimePricing(const Config& config, const EnvSpec& spec, int workers) {
  const TaskOracle oracle = TaskOf(config.env()).oracle(config.env());
  const RunPlan plan = MakePlan(config, spec);
  const bool shared = SharedByShards(oracle.config, oracle.context);
  const int envs = std::min(plan.num_envs, shared ? kMostEnvs : kOwnEnvs);
  EnvShard shard(config, {.shard = 0, .first_env = 0, .envs = envs}, plan.rollout_steps);
  const std::string weights = UntrainedWeights(config, spec);
  double best_s = INFINITY;
  for (int i = 0; i < kRollouts; ++i) {
    best_s = std::min(best_s, shard.Collect(weights).summary.metrics.Get("time/oracle_s"));
  }
  // A shared oracle prices all at once; the others each price their shards' own, side by side.
  const int at_once = shared ? plan.num_envs : (plan.num_envs + workers - 1) / workers;
  return best_s / plan.rollout_steps * at_once / envs;
}

void PlaceTaskOracle(Config* config) {
  const Task& task = TaskOf(config->env());
  if (!task.mutable_oracle || config->run().device() == AUTO) return;
  OracleConfig& oracle = *task.mutable_oracle(config->mutable_env());
  if (oracle.device() == AUTO) oracle.set_device(config->run().device() == CUDA ? CUDA : CPU);
}

std::string ChooseTaskOracle(const EnvSpec& spec, int workers, Config* config) {
  const Task& task = TaskOf(config->env());
  if (!task.mutable_oracle) return "";
  OracleConfig& oracle = *task.mutable_oracle(config->mutable_env());
  const std::vector<OracleConfig> candidates =
      OracleCandidates(oracle, task.oracle(config->env()).context);
  if (candidates.size() == 1) return "";
  OracleChoice choice =
      TryOracles(candidates, MakePlan(*config, spec).num_envs, [&](const OracleConfig& candidate) {
        oracle = candidate;
        return TimePricing(*config, spec, workers);
      });
  oracle = choice.oracle;
  return choice.why;
}

}  // namespace dray
