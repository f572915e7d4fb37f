#include "src/envs/dvrptw_offer/day.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"

namespace dray::dvrptw_offer {

void Day::Begin(const EpisodeKey& key) {
  Problem stops;
  std::vector<Customer> customers = source_->Draw(key, &stops);
  Begin(key, std::move(stops), std::move(customers));
}

void Day::Begin(const EpisodeKey& key, Problem stops, std::vector<Customer> customers) {
  key_ = key;
  stops_ = std::move(stops);
  customers_ = std::move(customers);
  Problem empty = stops_;
  empty.stops.clear();
  empty.requests.clear();
  empty.numbers.clear();
  own.Clear(empty);
  total_reward = 0;
  actions_.clear();
  booked_.clear();
  served_by_type_ = asked_by_type_ = {};
  int64_t round_trips = 0;
  for (const Customer& customer : customers_) {
    const int place = stops_.stops[customer.stop].place;
    round_trips += stops_.travel(stops_.depot, place) + stops_.travel(place, stops_.depot);
  }
  lost_penalty_ = LostPenalty(round_trips, this->customers());
}

RequestWindows Day::WindowOf(const Stop& stop, int slot) const {
  const int64_t day = stops_.depot_closes - stops_.depot_opens;
  const auto edge = [&](int i) -> Ticks { return stops_.depot_opens + day * i / kSlots; };
  return {.pickup_opens = std::max(stop.opens, edge(slot)),
          .pickup_closes = std::min(stop.closes, edge(slot + 1)),
          .delivery_opens = 0,
          .delivery_closes = 0};
}

bool Day::Decide(int action) {
  const Customer& asked = customer();
  const size_t type = Index(asked.type);
  const int slot = asked.Books(action);
  ++asked_by_type_[type];
  actions_.push_back(action);
  booked_.push_back(slot);
  if (slot < 0) return false;
  ++served_by_type_[type];
  Stop stop = stops_.stops[asked.stop];
  const RequestWindows window = WindowOf(stop, slot);
  stop.opens = window.pickup_opens;
  stop.closes = window.pickup_closes;
  const int at = own.problem.stops.size();
  own.problem.requests.push_back({at, -1});
  own.problem.stops.push_back(stop);
  return true;
}

void Day::Save(ByteWriter& out) const {
  delivery::SaveKey(key_, out);
  out.Put(total_reward);
  out.PutVector(actions_);
  own.SavePlan(out);
}

void Day::Load(ByteReader& in) {
  const EpisodeKey key = delivery::LoadKey(in);
  const auto total = in.Get<double>();
  const auto actions = in.GetVector<int8_t>();
  if (!std::isfinite(total) || std::ssize(actions) >= source_->customers()) {
    throw Failure("a saved episode of dvrptw_offer is damaged");
  }
  Begin(key);
  for (const int8_t action : actions) {
    if (action < 0 || action >= kOfferActions) {
      throw Failure("a saved episode of dvrptw_offer is damaged: action ", int{action});
    }
    Decide(action);
  }
  total_reward = total;
  own.LoadPlan(in);
}

}  // namespace dray::dvrptw_offer
