#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/thread_team.h"

namespace dray {

// T steps of N environments. Every column is [T, N], with the environments of a step side by side.
struct Trajectories {
  int steps = 0;
  int envs = 0;
  std::span<const float> rewards;
  // Value of the state a step starts from.
  std::span<const float> values;
  // Value of the state a step leads to: the next row's value, or that of the final observation if
  // the episode was truncated; in the last row, that of the state after the last step. Ignored if
  // terminated.
  std::span<const float> next_values;
  std::span<const uint8_t> terminated;
  std::span<const uint8_t> truncated;
};

struct Targets {
  std::vector<float> advantages;  // targets of the policy
  std::vector<float> returns;     // targets of the value
};

// Generalised advantage estimation (Schulman et al. 2016). A terminated step has no future; a
// truncated one bootstraps from the value of its final observation, and the trace is cut there. The
// result does not depend on the team.
Targets Gae(const Trajectories& t, float gamma, float lambda,
            ThreadTeam& team = ThreadTeam::Alone());

struct VTraceSettings {
  float gamma = 0.99f;
  float lambda = 1.0f;      // decay of the traces: c_t = lambda * min(c_bar, ratio)
  float rho_bar = 1.0f;     // cap of the ratio in the temporal difference
  float c_bar = 1.0f;       // cap of the ratio in the trace
  float rho_bar_pg = 1.0f;  // cap of the ratio in the policy-gradient advantage
};

struct VTraceTargets {
  std::vector<float> vs;             // corrected value targets
  std::vector<float> pg_advantages;  // rho_t (r + gamma vs_{t+1} - V), as in the IMPALA paper
};

// V-trace (Espeholt et al. 2018): targets for the current policy from data of an older one.
// `log_ratios` [T, N] are log(current / behaviour probability) of the actions taken.
VTraceTargets VTrace(const Trajectories& t, std::span<const float> log_ratios,
                     const VTraceSettings& settings);

}  // namespace dray
