#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/oracle/oracle.pb.h"

namespace dray {

// What an oracle takes to price one step of all of a run's environments.
struct PricingTime {
  OracleConfig oracle;
  double step_s = 0;
};

// The first that is about as quick as the quickest, and one line that says why.
struct OracleChoice {
  OracleConfig oracle;
  std::string why;
};
OracleChoice QuickestOracle(const std::vector<PricingTime>& times, int envs);

// Tries the candidates, listed in order of preference, and returns the fastest. One whose trial
// fails is left out, with the reason in `why`; if all fail, the first is chosen.
OracleChoice TryOracles(const std::vector<OracleConfig>& candidates, int envs,
                        const std::function<double(const OracleConfig&)>& time_pricing);

// Times the pricing of one step with short rollouts of as many environments as one call would
// serve. `workers` step shards at the same time.
double TimePricing(const Config& config, const EnvSpec& spec, int workers);

// Where run.device is set, that is where the oracle of the run's task lives, unless its own setting
// says otherwise.
void PlaceTaskOracle(Config* config);

// Settles where that oracle lives, and of which kind it is, when the config leaves it to us (auto):
// by what is quicker here. Returns one line that says what was chosen and why; empty when there was
// nothing to choose.
std::string ChooseTaskOracle(const EnvSpec& spec, int workers, Config* config);

}  // namespace dray
