#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/waves/day.h"
#include "src/envs/waves/policies/effort.h"

namespace dray::waves {

// Decides which open requests leave with the vehicles of an epoch, and on which routes.
class DispatchPolicy {
 public:
  virtual ~DispatchPolicy() = default;

  // Returns routes that the rules allow. `rng` is for what the policy samples.
  virtual Routes Decide(const Day& day, const Effort& effort, Rng& rng) const = 0;
};

// Returns routes over these open requests, by number, with as little driving as the effort finds.
// `start` are routes to improve; requests that it lacks are inserted, others left out.
Routes PlanDispatch(const Day& day, std::span<const Request> requests, const Effort& effort,
                    uint64_t seed, const Routes& start = {});

// Names of the policies, for help texts and messages.
inline constexpr const char* kPolicyNames = "greedy, lazy, random or conditional";

// Makes a policy:
//   greedy       dispatches every open request
//   lazy         dispatches requests that must go
//   random       dispatches the others with probability 1/2
//   conditional  iterative conditional dispatch over sampled futures (ConditionalDispatch)
// Another name is an Error.
std::unique_ptr<DispatchPolicy> MakePolicy(const std::string& name);

}  // namespace dray::waves
