#include "src/envs/dvrptw_offer/judging/lookahead_player.h"

#include "src/envs/delivery/judging/planner_team.h"
#include "src/envs/dvrptw_offer/planning/lookahead.h"

namespace dray::dvrptw_offer {
namespace {

Lookahead::Settings SettingsOf(const DvrptwOfferConfig& config) {
  return {.limits = delivery::RaceLimitsOf(config.lookahead()),
          .shares = delivery::SharesOf(config.type_split()),
          .rounds = config.lookahead().rounds()};
}

class LookaheadPlayer : public Player {
 public:
  LookaheadPlayer(const DvrptwOfferConfig& config, const OfferEnv& env)
      : env_(env), team_(env.source(), SettingsOf(config)) {}

  void Begin(int /*first*/, int /*count*/) override {}

  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    team_.DecideAll(actions.indices,
                    [&](Lookahead& planner, int env) { return planner.Decide(env_.day(env)); });
  }

 private:
  const OfferEnv& env_;
  delivery::PlannerTeam<Lookahead> team_;
};

}  // namespace

std::unique_ptr<Player> MakeLookahead(const DvrptwOfferConfig& config, const OfferEnv& env) {
  return std::make_unique<LookaheadPlayer>(config, env);
}

}  // namespace dray::dvrptw_offer
