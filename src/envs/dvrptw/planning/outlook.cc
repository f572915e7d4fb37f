#include "src/envs/dvrptw/planning/outlook.h"

#include <algorithm>
#include <functional>

#include "src/base/error.h"
#include "src/envs/dvrptw/encodings.h"
#include "src/envs/dvrptw/planning/savings.h"

namespace dray::dvrptw {
namespace {

constexpr size_t kNextRequests = 24;      // sampled
constexpr double kUnservable_min = 1000;  // price of a request that cannot be served
constexpr Ticks kTicksPerHour = 60 * kTicksPerMinute;

float* Put(double value, float* out) {
  *out = value;
  return out + 1;
}

int HourOf(const Trip& trip) {
  return std::clamp(trip.pickup_early / kTicksPerHour, 0, kOutlookHours - 1);
}

}  // namespace

Outlook::Outlook(const World& world, double patience_weight)
    : world_(world),
      patience_weight_(patience_weight),
      options_(world, patience_weight),
      improved_(world, patience_weight) {}

void Outlook::Write(const Day& day, std::span<const uint8_t> mask, const Beliefs& beliefs,
                    std::span<float> out) {
  DRAY_CHECK_EQ(std::ssize(out), kOutlookSize);
  std::ranges::fill(out, 0.0f);
  pending_ = PendingRiders(world_, day);
  DrawNext(day, beliefs);
  options_.Load(day, mask);
  const Prospect unshifted = ProspectOf(day, kNoShift);
  for (const int action : options_.actions()) {
    const Prospect prospect = action == kNoShift ? unshifted : ProspectOf(day, action);
    WriteAction(action, prospect, unshifted, out.data() + action * kOutlookActionSize);
  }
  WriteContext(day, beliefs.belief(day.arrival().rider), unshifted,
               out.data() + kShiftActions * kOutlookActionSize);
}

void Outlook::DrawNext(const Day& day, const Beliefs& beliefs) {
  Rng rng = delivery::DecisionRng(day.key(), day.step(), /*stream=*/1);
  next_.clear();
  while (!pending_.empty() && next_.size() < kNextRequests) {
    DrawFuture(world_, beliefs.all(), pending_, rng, drawn_);
    drawn_.resize(std::min(drawn_.size(), kNextRequests - next_.size()));
    next_.insert(next_.end(), drawn_.begin(), drawn_.end());
  }
}

double Outlook::MeanPriceOfNext(const Sketch& plan) const {
  if (next_.empty()) return 0;
  double sum = 0;
  for (const FutureRequest& request : next_) {
    const Sketch::Seat seat = plan.Cheapest(*request.trip, ShiftRange::Of(request.type));
    sum += std::min(seat.price / kTicksPerMinute, kUnservable_min);
  }
  return sum / next_.size();
}

std::array<double, 6> Outlook::SavingsOf(const Day& day, int action) const {
  const Trip trip = Shifted(day.asked(), action);
  std::array<double, 3> top{};
  double sum = 0, next = 0;
  for (const Trip& other : day.agreed()) {
    const double saving = PairSaving(world_, trip, other) / 60;
    sum += saving;
    if (saving <= top[2]) continue;
    top[2] = saving;
    std::ranges::sort(top, std::greater<>());
  }
  for (const FutureRequest& request : next_) {
    next += PairSaving(world_, trip, *request.trip) / 60;
  }
  const double mean = next_.empty() ? 0 : next / next_.size();
  return {top[0], top[1], top[2], sum / 10, mean, mean * pending_.size() / 10};
}

Outlook::Prospect Outlook::ProspectOf(const Day& day, int action) {
  const Sketch& after = options_.after(action);
  improved_ = after;
  improved_.Improve();
  Prospect prospect;
  prospect.added = std::min(options_.seat(action).price / kTicksPerMinute, kUnservable_min);
  prospect.improved = Minutes(improved_.cost()) + PatiencePenalty(action, patience_weight_);
  prospect.next = MeanPriceOfNext(after);
  prospect.next_improved = MeanPriceOfNext(improved_);
  prospect.slack = after.MeanSlack() / kTicksPerMinute;
  prospect.slack_improved = improved_.MeanSlack() / kTicksPerMinute;
  prospect.savings = SavingsOf(day, action);
  prospect.vehicles = improved_.vehicles();
  prospect.new_vehicle = options_.seat(action).route < 0;
  return prospect;
}

float* Outlook::WriteAction(int action, const Prospect& prospect, const Prospect& unshifted,
                            float* out) const {
  const double next = prospect.next_improved - unshifted.next_improved;
  out = Put(1, out);
  out = Put((prospect.added - unshifted.added) / 10, out);
  out = Put((prospect.improved - unshifted.improved) / 10, out);
  out = Put((prospect.next - unshifted.next) / 2, out);
  out = Put(next / 2, out);
  out = Put(next * pending_.size() / 20, out);
  out = Put((prospect.slack_improved - unshifted.slack_improved) / 10, out);
  out = Put((prospect.slack - unshifted.slack) / 10, out);
  for (size_t i = 0; i < prospect.savings.size(); ++i) {
    out = Put(prospect.savings[i] - unshifted.savings[i], out);
  }
  out = Put(prospect.new_vehicle ? 1 : 0, out);
  out = Put(-ShiftOf(action).pickup_min / 30.0, out);
  out = Put(ShiftOf(action).dropoff_min / 30.0, out);
  return Put(prospect.vehicles - unshifted.vehicles, out);
}

void Outlook::WriteContext(const Day& day, const TypeBelief& belief, const Prospect& unshifted,
                           float* out) const {
  const City& city = world_.city;
  const Trip& trip = day.asked();
  const Ticks ride = city.travel(trip.origin, trip.destination);
  out = Put(1.0 * day.step() / day.customers(), out);
  out = Put(options_.before().vehicles() / 5.0, out);
  out = Put(Minutes(options_.before().cost()) / 1000, out);
  out = Put(unshifted.next_improved / 30, out);
  out = WritePlace(city, trip.origin, out);
  out = WritePlace(city, trip.destination, out);
  out = Put(1.0 * trip.pickup_early / kTicksPerDay, out);
  out = Put(Minutes(ride) / 60, out);
  out = std::ranges::copy(belief, out).out;
  out = Put(unshifted.added / 60, out);
  out = Put(Minutes(city.travel(city.depot, trip.origin) + ride +
                    city.travel(trip.destination, city.depot)) /
                60,
            out);
  out = Put(unshifted.new_vehicle ? 1 : 0, out);
  for (const Trip& agreed : day.agreed()) out[HourOf(agreed)] += 0.2f;
  out += kOutlookHours;
  for (const int rider : pending_) {
    const std::vector<Trip>& pool = world_.riders[rider].pool;
    for (const Trip& other : pool) out[HourOf(other)] += 0.2f / pool.size();
  }
  out += kOutlookHours;
  out[HourOf(trip)] = 0.2f;
}

}  // namespace dray::dvrptw
