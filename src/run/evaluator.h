#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/heartbeat.h"
#include "src/config/config.pb.h"
#include "src/envs/env.h"
#include "src/envs/registry.h"
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

  // Called with what a person would want to read, before each step and at the end of an episode.
  using Watch = std::function<void(const std::string& text)>;

  // `learned` is what the side learner published last, for tasks that have one.
  EvaluationReport Evaluate(std::string_view weights, std::string_view learned = {},
                            const Watch& watch = nullptr);
  // May be read by another thread.
  const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  Episode PlayEpisode(int index, std::string_view learned, const Watch& watch);

  Heartbeat heartbeat_;
  Config config_;
  EnvMaker make_envs_;
  EnvSpec spec_;
  Policy policy_;
};

}  // namespace dray
