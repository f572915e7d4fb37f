#include "src/envs/dvrptw/day.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray::dvrptw {

Day::Day(const World& world, const DayRules& rules)
    : world_(&world), empty_(world.EmptyProblem()), rules_(rules) {}

void Day::Begin(const EpisodeKey& key) {
  key_ = key;
  arrivals_ = DrawEpisode(key, world_->riders, rules_.noise);
  agreed_.clear();
  served_.clear();
  decisions_.clear();
  own.Clear(empty_);
  shadow.Clear(empty_);
  told_.reset();
  penalty_min_ = 0;
  step_ = 0;
  total_reward = 0;
  totals_ = {};
}

void Day::Tell(int rider, const Trip& trip) {
  const auto present = arrivals_.begin() + step_;
  const auto found = std::find_if(present, arrivals_.end(),
                                  [&](const Arrival& arrival) { return arrival.rider == rider; });
  DRAY_CHECK(found != arrivals_.end());
  std::iter_swap(present, found);
  // This rider answers by itself, and no action is explored.
  present->contrary = false;
  present->explore_draw = 1;
  told_ = trip;
}

bool Day::Decide(int action, const AcceptanceRule& accept) {
  const Trip& trip = asked();
  const Flexibility type = rider().type;
  const Trip shifted = Shifted(trip, action);
  const bool accepted =
      Answer(accept, rider(), trip, action, arrival().contrary) && world_->Servable(shifted);
  outcome_ = accepted ? shifted : trip;
  penalty_min_ = accepted ? PatiencePenalty(action, rules_.patience_weight) : 0;
  AddRequest(outcome_, world_->service, own.problem);
  if (rules_.with_shadow) AddRequest(trip, world_->service, shadow.problem);
  decisions_.push_back({int8_t(action), 1, 1});
  const int shift_min = accepted ? ShiftOf(action).total_min() : 0;
  totals_.accepted += accepted;
  totals_.shift_min += shift_min;
  totals_.shift_by_type[Index(type)] += shift_min;
  ++totals_.riders_by_type[Index(type)];
  return accepted;
}

void Day::Settle(const Plan* plan, int64_t cost) {
  if (plan == nullptr) {
    RemoveLastRequest(own.problem);
    decisions_.back().served = 0;
    ++totals_.unserved;
    return;
  }
  own.plan = *plan;
  own.cost = cost;
  agreed_.push_back(outcome_);
  served_.push_back(arrival());
  totals_.patience_min += penalty_min_;
}

void Day::SettleShadow(const Plan* plan, int64_t cost) {
  if (plan == nullptr) {
    RemoveLastRequest(shadow.problem);
    decisions_.back().shadow_served = 0;
    return;
  }
  shadow.plan = *plan;
  shadow.cost = cost;
}

void Day::Advance() {
  ++step_;
  told_.reset();
}

void Day::Save(ByteWriter& out) const {
  delivery::SaveKey(key_, out);
  out.Put(total_reward);
  out.PutVector(decisions_);
  own.SavePlan(out);
  if (rules_.with_shadow) shadow.SavePlan(out);
}

void Day::Load(ByteReader& in, const AcceptanceRule& accept) {
  const EpisodeKey key = delivery::LoadKey(in);
  const auto total = in.Get<double>();
  const auto decisions = in.GetVector<Decision>();
  if (!std::isfinite(total) || decisions.size() >= world_->riders.size()) {
    throw Failure("a saved episode of dvrptw is damaged");
  }
  // The day is replayed from its key and decisions; only the plans cannot be recomputed.
  Begin(key);
  for (const Decision& decision : decisions) {
    if (decision.action < 0 || decision.action >= kShiftActions) {
      throw Failure("a saved episode of dvrptw is damaged: action ", int{decision.action});
    }
    Decide(decision.action, accept);
    static const Plan kToBeLoaded;
    Settle(decision.served != 0 ? &kToBeLoaded : nullptr, 0);
    if (rules_.with_shadow) {
      SettleShadow(decision.shadow_served != 0 ? &kToBeLoaded : nullptr, 0);
    }
    Advance();
  }
  total_reward = total;
  own.LoadPlan(in);
  if (rules_.with_shadow) shadow.LoadPlan(in);
}

}  // namespace dray::dvrptw
