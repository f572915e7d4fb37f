#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/world.h"
#include "src/oracle/ruin_recreate.h"

namespace dray::dvrptw {

// A day of the generated city that has gone on for some requests, each as it was asked for.
class ADay {
 public:
  explicit ADay(int requests, uint64_t episode = 0, const DvrptwConfig& config = {})
      : world(MakeWorld(config)),
        day(*world,
            {.noise = 0, .patience_weight = config.patience_weight(), .with_shadow = false}) {
    day.Begin({.seed = 7, .purpose = RngPurpose::kTest, .env = 3, .episode = episode});
    RuinRecreateOracle oracle({.rounds = 10});
    for (int i = 0; i < requests; ++i) {
      day.Decide(kNoShift, AcceptByType);
      const Problem* problem = &day.own.problem;
      const Plan* plan = &day.own.plan;
      const OracleAnswer answer = oracle.Improve(std::span(&problem, 1), std::span(&plan, 1))[0];
      day.Settle(&answer.plan, answer.cost.total());
      day.Advance();
    }
  }

  // What is believed of every rider when nothing is hidden.
  std::vector<TypeBelief> TrueTypes() const { return dvrptw::TrueTypes(world->riders); }

  std::shared_ptr<const World> world;
  Day day;
};

inline constexpr std::array<uint8_t, kShiftActions> kAllActions = {1, 1, 1, 1, 1, 1, 1, 1,
                                                                   1, 1, 1, 1, 1, 1, 1, 1};

}  // namespace dray::dvrptw
