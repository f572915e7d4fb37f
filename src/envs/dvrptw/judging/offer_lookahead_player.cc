#include "src/envs/dvrptw/judging/offer_lookahead_player.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "src/base/parallel_for.h"
#include "src/envs/dvrptw/planning/offer_lookahead.h"

namespace dray {
namespace {

OfferLookahead::Settings SettingsOf(const DvrptwConfig& config) {
  return {.futures = config.lookahead().futures(),
          .decision_ms = config.lookahead().decision_ms(),
          .shares = SharesOf(config.type_split()),
          .rounds = config.lookahead().rounds()};
}

class OfferLookaheadPlayer : public Player {
 public:
  OfferLookaheadPlayer(const DvrptwConfig& config, const OfferEnv& env) : env_(env) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) {
      planners_.emplace_back(env.source(), SettingsOf(config));
    }
  }

  void Begin(int /*first*/, int /*count*/) override {}

  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    ParallelFor(static_cast<int>(planners_.size()), actions.indices.size(),
                [&](size_t i, int thread) {
                  OfferLookahead& planner = planners_[thread];
                  actions.indices[i] = planner.Decide(env_.day(static_cast<int>(i)));
                });
  }

 private:
  const OfferEnv& env_;
  std::vector<OfferLookahead> planners_;  // by thread
};

}  // namespace

std::unique_ptr<Player> MakeOfferLookahead(const DvrptwConfig& config, const OfferEnv& env) {
  return std::make_unique<OfferLookaheadPlayer>(config, env);
}

}  // namespace dray
