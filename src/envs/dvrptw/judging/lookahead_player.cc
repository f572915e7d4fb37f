#include "src/envs/dvrptw/judging/lookahead_player.h"

#include <vector>

#include "src/envs/delivery/judging/planner_team.h"
#include "src/envs/dvrptw/planning/lookahead.h"
#include "src/nets/policy.h"

namespace dray::dvrptw {
namespace {

Lookahead::Settings SettingsOf(const DvrptwConfig& config) {
  return {.limits = delivery::RaceLimitsOf(config.lookahead()),
          .foresight = Foresight::Settings::Of(config, config.lookahead().rounds())};
}

class LookaheadPlayer : public Player {
 public:
  LookaheadPlayer(const Config& config, const std::string& weights, const NegotiateEnv& env)
      : env_(env),
        settings_(config.env().GetExtension(DvrptwConfig::dvrptw)),
        temperature_min_(config.ppo().appraisal_temperature()),
        team_(env.world(), SettingsOf(settings_)) {
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
    team_.DecideAll(actions.indices, [&](Lookahead& planner, int env) {
      const delivery::Race::Prior prior{row(std::span<const float>(priors), env),
                                        learned_ ? settings_.lookahead().policy_futures() : 0};
      return planner.Decide(env_.day(env), row(observed.masks, env), env_.beliefs(env).all(),
                            prior);
    });
  }

 private:
  // Returns the logits in minutes (lower is better): a logit of 1 is worth one temperature.
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
  delivery::PlannerTeam<Lookahead> team_;
  std::unique_ptr<Policy> learned_;
};

}  // namespace

std::unique_ptr<Player> MakeLookahead(const Config& config, const std::string& weights,
                                      const NegotiateEnv& env) {
  return std::make_unique<LookaheadPlayer>(config, weights, env);
}

}  // namespace dray::dvrptw
