#include "src/envs/dvrptw/judging/lookahead_player.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "src/base/parallel_for.h"
#include "src/envs/dvrptw/planning/lookahead.h"
#include "src/nets/policy.h"

namespace dray {
namespace {

Lookahead::Settings SettingsOf(const DvrptwConfig& config) {
  return {.futures = config.lookahead().futures(),
          .decision_ms = config.lookahead().decision_ms(),
          .foresight = Foresight::Settings::Of(config, config.lookahead().rounds())};
}

class LookaheadPlayer : public Player {
 public:
  LookaheadPlayer(const Config& config, const std::string& weights, const NegotiateEnv& env)
      : env_(env),
        settings_(config.env().GetExtension(dvrptw)),
        temperature_min_(config.ppo().appraisal_temperature()) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) {
      planners_.emplace_back(env.world(), SettingsOf(settings_));
    }
    if (weights.empty()) return;
    learned_ = std::make_unique<Policy>(env.spec(), config.network());
    learned_->Load(weights);
  }

  void Begin(int /*first*/, int count) override {
    if (learned_) learned_->Resume(std::vector<std::vector<int16_t>>(count));
  }

  void Act(const Observed& observed, const ActionSlots& actions) override {
    const std::vector<float> priors = Priors(observed);
    const auto row = [](auto numbers, size_t i) {
      return numbers.empty() ? numbers : numbers.subspan(i * kShiftActions, kShiftActions);
    };
    ParallelFor(
        static_cast<int>(planners_.size()), actions.indices.size(), [&](size_t i, int thread) {
          const Race::Prior prior{row(std::span<const float>(priors), i),
                                  learned_ ? settings_.lookahead().policy_futures() : 0};
          actions.indices[i] =
              planners_[thread].Decide(env_.day(static_cast<int>(i)), row(observed.masks, i),
                                       env_.beliefs(static_cast<int>(i)).all(), prior);
        });
  }

 private:
  // Minutes, less is better: a logit is as many temperatures.
  std::vector<float> Priors(const Observed& observed) {
    if (!learned_) return {};
    const auto logits = learned_->Outputs(observed.observations, observed.bags);
    std::vector<float> minutes(logits.begin(), logits.end());
    for (float& value : minutes) value *= static_cast<float>(-temperature_min_);
    return minutes;
  }

  const NegotiateEnv& env_;
  const DvrptwConfig settings_;
  double temperature_min_;
  std::vector<Lookahead> planners_;  // by thread
  std::unique_ptr<Policy> learned_;
};

}  // namespace

std::unique_ptr<Player> MakeLookahead(const Config& config, const std::string& weights,
                                      const NegotiateEnv& env) {
  return std::make_unique<LookaheadPlayer>(config, weights, env);
}

}  // namespace dray
