#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/envs/registry.h"
#include "src/loop/episode_play.h"
#include "src/nets/policy.h"

namespace dray {

// How good a policy is: episodes of one environment at a time, the most probable action (or the
// mean), fixed seeds, frozen normalisers.
struct EvaluationReport {
  int64_t policy_version = 0;
  std::vector<Episode> episodes;

  double mean_return() const;
  // Of the sample, unbiased; 0 for one episode.
  double std_return() const;
  // Half the width of the 95 % confidence interval of the mean (Student's t).
  double ci95_return() const;
  double mean_length() const;

  std::string ToBytes() const;
  static EvaluationReport FromBytes(std::string_view bytes);
};

// A role: weights in, evaluation out. Episode i always meets the same chance, whatever was
// evaluated before, so that two policies are compared on equal ground.
class Evaluator {
 public:
  explicit Evaluator(const Config& config, EnvMaker make_envs = MakeBatchEnv);

  // `side_model` is what the side learner published last, for tasks that have one.
  EvaluationReport Evaluate(std::string_view weights, std::string_view side_model = {},
                            const Watch& watch = nullptr);
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  // The policy's most probable actions, or their means.
  struct BestActions : Player {
    BestActions(const EnvSpec& spec, const NetworkConfig& network)
        : discrete(spec.actions.discrete()), policy(spec, network) {}
    void Begin(int index) override;
    void Act(const Sight& sight, int32_t& index, std::span<float> values) override;

    const bool discrete;
    Policy policy;
  };

  Heartbeat heartbeat_;
  Config config_;
  EnvMaker make_envs_;
  BestActions best_;
};

}  // namespace dray
