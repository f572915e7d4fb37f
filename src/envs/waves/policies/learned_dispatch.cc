#include "src/envs/waves/policies/learned_dispatch.h"

#include <vector>

#include "src/base/error.h"
#include "src/envs/waves/agenda.h"
#include "src/envs/waves/observer.h"
#include "src/envs/waves/waves.h"
#include "src/nets/policy.h"
#include "src/nets/sampling.h"

namespace dray::waves {

LearnedDispatch::LearnedDispatch(const Config& config, std::string_view weights)
    : config_(config),
      spec_(WavesWorld(config.env().GetExtension(WavesConfig::waves)).spec),
      weights_(weights) {
  if (config.network().kind() == GRU) {
    throw UsageError("waves_serve and waves_play take no policy with memory (network.kind gru)");
  }
  Policy(spec_, config_.network()).Load(weights_);  // an Error if they do not fit
}

Routes LearnedDispatch::Decide(const Day& day, const Effort& effort, Rng& rng) const {
  // Its own, since days are played by several threads; loading takes no time beside a search.
  Policy policy(spec_, config_.network());
  policy.Load(weights_);
  const Observer observer(day.instance());
  std::vector<float> observation(Observer::kSize);
  Agenda agenda(day);
  while (!agenda.finished()) {
    observer.Write(day, agenda, observation);
    agenda.Decide(BestAction(policy.Outputs(observation), {}) == 1);
  }
  return PlanDispatch(day, agenda.dispatched(), effort, rng.Next64(), agenda.sketch().routes());
}

}  // namespace dray::waves
