#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/delivery/planned_requests.h"
#include "src/envs/dvrptw/actions.h"
#include "src/envs/dvrptw/encodings.h"
#include "src/envs/dvrptw/episode.h"
#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {

using delivery::PlannedRequests;

// Totals of an episode.
struct DayTotals {
  int accepted = 0;  // actions that were agreed to, including no shift
  int unserved = 0;
  int64_t shift_min = 0;
  double patience_min = 0;                                  // subtracted from the reward
  std::array<int64_t, kFlexibilityTypes> shift_by_type{};   // minutes
  std::array<int64_t, kFlexibilityTypes> riders_by_type{};  // asked so far
};

struct DayRules {
  double noise = 0;
  double patience_weight = 0;
  bool with_shadow = false;
};

// One episode of one environment: riders ask one by one, and each is given windows. There may also
// be a shadow, the plan of the same riders with the windows they asked for. Prices come from
// outside: between Decide and Settle, the agreed request is the last one of own.problem and not
// priced yet.
class Day {
 public:
  // The world must outlive the day.
  Day(const World& world, const DayRules& rules);

  void Begin(const EpisodeKey& key);

  const EpisodeKey& key() const { return key_; }
  int step() const { return step_; }
  int customers() const { return std::ssize(arrivals_); }
  bool over() const { return step_ == customers(); }

  // All requests of the day, including later ones, which a policy must not see.
  std::span<const Arrival> arrivals() const { return arrivals_; }
  // The current request; not once the day is over.
  const Arrival& arrival() const { return arrivals_[step_]; }
  const Rider& rider() const { return world_->riders[arrival().rider]; }
  const Trip& asked() const { return told_ ? *told_ : rider().pool[arrival().trip]; }
  std::span<const Trip> agreed() const { return agreed_; }
  // Returns whether the previous request is one of agreed(); false at the start of the day.
  bool last_was_served() const { return !decisions_.empty() && decisions_.back().served != 0; }
  // Riders of agreed() and the trips they asked for.
  std::span<const Arrival> served() const { return served_; }

  // Replaces the current request, which was drawn, by this one of a rider who has not asked yet.
  void Tell(int rider, const Trip& trip);

  // Proposes a shift; returns whether the rider agreed. Adds the new request to own and shadow.
  bool Decide(int action, const AcceptanceRule& accept);
  // The request with the windows that the last Decide led to.
  const Trip& outcome() const { return outcome_; }
  double penalty_min() const { return penalty_min_; }

  // Settles the new request: `plan` serves it at `cost`, or it is dropped (null). SettleShadow is
  // only for a day with a shadow. Advance then moves on to the next request.
  void Settle(const Plan* plan, int64_t cost);
  void SettleShadow(const Plan* plan, int64_t cost);
  void Advance();

  PlannedRequests own;
  PlannedRequests shadow;  // empty without a shadow
  bool with_shadow() const { return rules_.with_shadow; }
  double total_reward = 0;

  const DayTotals& totals() const { return totals_; }

  // Saves and loads the state. Load throws an Error if the bytes are damaged.
  void Save(ByteWriter& out) const;
  void Load(ByteReader& in, const AcceptanceRule& accept);

 private:
  // An action, and whether its request was served with the agreed and with the asked windows.
  struct Decision {
    int8_t action;
    uint8_t served;
    uint8_t shadow_served;
  };

  const World* world_;
  Problem empty_;
  DayRules rules_;
  EpisodeKey key_;
  std::vector<Arrival> arrivals_;
  std::optional<Trip> told_;  // the current request, if it was not drawn
  std::vector<Trip> agreed_;
  std::vector<Arrival> served_;
  std::vector<Decision> decisions_;
  Trip outcome_;
  double penalty_min_ = 0;
  int step_ = 0;
  DayTotals totals_;
};

}  // namespace dray::dvrptw
