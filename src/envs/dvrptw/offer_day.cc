#include "src/envs/dvrptw/offer_day.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"

namespace dray {

void OfferDay::Begin(const EpisodeKey& key) {
  Problem stops;
  std::vector<OfferCustomer> customers = source_->Draw(key, &stops);
  Begin(key, std::move(stops), std::move(customers));
}

void OfferDay::Begin(const EpisodeKey& key, Problem stops, std::vector<OfferCustomer> customers) {
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
  for (const OfferCustomer& customer : customers_) {
    const int place = stops_.stops[static_cast<size_t>(customer.stop)].place;
    round_trips += stops_.travel(stops_.depot, place) + stops_.travel(place, stops_.depot);
  }
  lost_penalty_ = LostPenalty(round_trips, this->customers());
}

RequestWindows OfferDay::WindowOf(const Stop& stop, int slot) const {
  const int64_t day = stops_.depot_closes - stops_.depot_opens;
  const auto edge = [&](int i) {
    return static_cast<Ticks>(stops_.depot_opens + day * i / kSlots);
  };
  return {.pickup_opens = std::max(stop.opens, edge(slot)),
          .pickup_closes = std::min(stop.closes, edge(slot + 1)),
          .delivery_opens = 0,
          .delivery_closes = 0};
}

bool OfferDay::Decide(int action) {
  const OfferCustomer& asked = customer();
  const auto type = static_cast<size_t>(asked.type);
  const int slot = asked.Books(action);
  ++asked_by_type_[type];
  actions_.push_back(static_cast<int8_t>(action));
  booked_.push_back(static_cast<int8_t>(slot));
  if (slot < 0) return false;
  ++served_by_type_[type];
  Stop stop = stops_.stops[static_cast<size_t>(asked.stop)];
  const RequestWindows window = WindowOf(stop, slot);
  stop.opens = window.pickup_opens;
  stop.closes = window.pickup_closes;
  own.problem.requests.push_back({static_cast<int>(own.problem.stops.size()), -1});
  own.problem.stops.push_back(stop);
  return true;
}

void OfferDay::Save(ByteWriter& out) const {
  SaveKey(key_, out);
  out.Put(total_reward);
  out.PutVector(actions_);
  own.SavePlan(out);
}

void OfferDay::Load(ByteReader& in) {
  const EpisodeKey key = LoadKey(in);
  const auto total = in.Get<double>();
  const auto actions = in.GetVector<int8_t>();
  if (!std::isfinite(total) || actions.size() >= static_cast<size_t>(source_->customers())) {
    throw Failure("a saved episode of dvrptw is damaged");
  }
  Begin(key);
  for (const int8_t action : actions) {
    if (action < 0 || action >= kOfferActions) {
      throw Failure("a saved episode of dvrptw is damaged: action ", int{action});
    }
    Decide(action);
  }
  total_reward = total;
  own.LoadPlan(in);
}

}  // namespace dray
