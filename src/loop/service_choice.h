#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/env/service.h"

namespace dray {

// A candidate, and the time it takes for one step of all of a run's environments.
struct CandidateTime {
  ServiceCandidate candidate;
  double step_s = 0;
};

// The chosen candidate, and one line that says why.
struct ServiceChoice {
  ServiceCandidate candidate;
  std::string why;
};

// Chooses the first candidate that is about as fast as the fastest.
ServiceChoice FastestCandidate(const Service& service, const std::vector<CandidateTime>& times,
                               int envs);

// Tries the candidates, listed in order of preference, and returns the fastest. One whose trial
// fails is left out, with the reason in `why`; if all fail, the first is chosen.
ServiceChoice TryCandidates(const Service& service, const std::vector<ServiceCandidate>& candidates,
                            int envs,
                            const std::function<double(const EnvConfig& settings)>& time_step);

// Times the service's part of one step with short rollouts of as many environments as one call
// would serve. `workers` step shards at the same time. The task must have a service.
double TimeService(const Config& config, const EnvSpec& spec, int workers);

// Moves the service of the run's task to run.device, if that is set and the service's own setting
// is not.
void PlaceService(Config* config);

// Chooses the fastest setup of the task's service on this machine, where the config leaves it open
// (auto). Returns one line that says what was chosen and why; empty if there was nothing to choose.
std::string ChooseService(const EnvSpec& spec, int workers, Config* config);

}  // namespace dray
