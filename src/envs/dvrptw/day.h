#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/encodings.h"
#include "src/envs/dvrptw/episode.h"
#include "src/envs/dvrptw/planned_requests.h"
#include "src/envs/dvrptw/world.h"

namespace dray {

// What an episode came to.
struct DayTotals {
  int accepted = 0;  // actions that were agreed to, no shift included
  int unserved = 0;
  int64_t shift_min = 0;
  double patience_min = 0;                                  // taken from the reward for shifts
  std::array<int64_t, kFlexibilityTypes> shift_by_type{};   // minutes
  std::array<int64_t, kFlexibilityTypes> riders_by_type{};  // that have been asked so far
};

struct DayRules {
  double noise = 0;
  double patience_weight = 0;
  bool with_shadow = false;
};

// One episode of one environment: riders ask one by one, and each is given windows. Beside the plan
// of what was agreed there may be its shadow, the plan of the same riders with the windows they
// asked for. Prices come from outside: between Decide and Settle the agreed request stands last in
// own.problem, priced by nobody yet.
class DeliveryDay {
 public:
  // The world outlives the day.
  DeliveryDay(const DeliveryWorld& world, const DayRules& rules);

  void Begin(const EpisodeKey& key);

  const EpisodeKey& key() const { return key_; }
  int step() const { return step_; }
  int customers() const { return static_cast<int>(arrivals_.size()); }
  bool over() const { return step_ == customers(); }

  // All requests of the day, those yet to come too: nothing for a policy to see.
  std::span<const Arrival> arrivals() const { return arrivals_; }
  // The request that is asked about now; not once the day is over.
  const Arrival& arrival() const { return arrivals_[step_]; }
  const Rider& rider() const { return world_->riders[arrival().rider]; }
  const Trip& asked() const { return told_ ? *told_ : rider().pool[arrival().trip]; }
  std::span<const Trip> agreed() const { return agreed_; }
  // Whether the request before the present one is among them; not at the start of the day.
  bool last_was_served() const { return !decisions_.empty() && decisions_.back().served != 0; }
  // Riders of agreed(), and what each had asked for.
  std::span<const Arrival> served() const { return served_; }

  // The present request is not the one that was drawn but this one, of a rider who has not asked
  // yet.
  void Tell(int rider, const Trip& trip);

  // Proposes a shift; whether the rider agreed. own has the new request now, and so has shadow.
  bool Decide(int action, const AcceptanceRule& accept);
  // The windows that came of the last Decide.
  const Trip& outcome() const { return outcome_; }
  double penalty_min() const { return penalty_min_; }

  // The new request is served at these prices, or cannot be (null: it is dropped), and the next one
  // asks. A day without a shadow has nothing to settle there.
  void Settle(const Plan* plan, int64_t cost);
  void SettleShadow(const Plan* plan, int64_t cost);
  void Advance();

  PlannedRequests own;
  PlannedRequests shadow;  // empty in a day without
  bool with_shadow() const { return rules_.with_shadow; }
  double total_reward = 0;

  const DayTotals& totals() const { return totals_; }

  // What a loaded copy needs to go on; damaged bytes are an Error.
  void Save(ByteWriter& out) const;
  void Load(ByteReader& in, const AcceptanceRule& accept);

 private:
  // An action, and whether its request could be served with the agreed and with the asked windows.
  struct Decision {
    int8_t action;
    uint8_t served;
    uint8_t shadow_served;
  };

  const DeliveryWorld* world_;
  Problem empty_;
  DayRules rules_;
  EpisodeKey key_;
  std::vector<Arrival> arrivals_;
  std::optional<Trip> told_;  // the present request, when it was not drawn
  std::vector<Trip> agreed_;
  std::vector<Arrival> served_;
  std::vector<Decision> decisions_;
  Trip outcome_;
  double penalty_min_ = 0;
  int step_ = 0;
  DayTotals totals_;
};

}  // namespace dray
