#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/envs/waves/policies/dispatch_policy.h"

namespace dray::waves {

// Decides the open requests one by one as the environment of `waves` asks for them, by a trained
// policy's most probable actions.
class LearnedDispatch : public DispatchPolicy {
 public:
  // `weights` are those of a checkpoint, trained by `config`.
  LearnedDispatch(const Config& config, std::string_view weights);

  Routes Decide(const Day& day, const Effort& effort, Rng& rng) const override;

 private:
  const Config config_;
  const EnvSpec spec_;
  const std::string weights_;
};

}  // namespace dray::waves
