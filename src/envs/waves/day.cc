#include "src/envs/waves/day.h"

#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/envs/waves/draws.h"

namespace dray::waves {

Day::Day(std::shared_ptr<const Instance> instance, uint64_t seed)
    : Day(std::move(instance), seed, /*live=*/false) {}

Day::Day(std::shared_ptr<const Instance> instance, uint64_t seed, bool live)
    : instance_(std::move(instance)),
      seed_(seed),
      live_(live),
      random_(seed),
      epoch_(instance_->first_epoch) {
  BeginEpoch();
}

Day Day::Live(std::shared_ptr<const Instance> instance) {
  return Day(std::move(instance), /*seed=*/0, /*live=*/true);
}

void Day::BeginEpoch() {
  if (done()) return;
  Open(live_ ? std::vector<Request>() : Arriving());
}

void Day::Add(std::span<const Request> requests) {
  DRAY_CHECK(live_ && !done());
  for (const Request& request : requests) {
    if (instance_->CanServe(request, departure())) continue;
    throw UsageError("no vehicle that leaves at ", departure(), " s can serve request ",
                     std::ssize(arrived_) + (&request - requests.data()) + 1,
                     " and be back in time");
  }
  Open(requests);
}

void Day::Open(std::span<const Request> requests) {
  for (Request request : requests) {
    request.id = std::ssize(arrived_) + 1;
    request.epoch = epoch_;
    arrived_.push_back(request);
    open_.push_back(request);
  }
  const Ticks next_departure = instance_->Departure(epoch_ + 1);
  for (Request& request : open_) {
    request.must_go = last_epoch() || !instance_->CanServe(request, next_departure);
  }
}

std::vector<Request> Day::Arriving() {
  if (!instance_->recorded.empty()) {
    return instance_->recorded[recorded_day()][epoch_ - instance_->first_epoch];
  }
  const auto draw = [&] {
    return random_.Integers(std::ssize(instance_->customers), instance_->draws);
  };
  // The order of the draws is the competition's.
  Draws draws;
  draws.places = draw();
  draws.windows = draw();
  draws.loads = draw();
  draws.services = draw();
  return Arrivals(*instance_, epoch_, draws);
}

const Request* Day::FindOpen(int id) const {
  const auto at =
      std::lower_bound(open_.begin(), open_.end(), id,
                       [](const Request& request, int number) { return request.id < number; });
  return at != open_.end() && at->id == id ? &*at : nullptr;
}

std::optional<std::string> Day::FindFault(const Routes& routes) const {
  if (done()) return "the day is over";
  std::vector<int> ids;
  for (const std::vector<int>& route : routes) {
    if (std::optional<std::string> fault = FindFault(std::span(route))) return fault;
    ids.insert(ids.end(), route.begin(), route.end());
  }
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) return Cat("request ", *twice, " is visited twice");
  for (const Request& request : open_) {
    if (!request.must_go || std::binary_search(ids.begin(), ids.end(), request.id)) continue;
    return Cat("request ", request.id, " must go in this epoch and is in no route");
  }
  return {};
}

std::optional<std::string> Day::FindFault(std::span<const int> route) const {
  if (route.empty()) return "a route is empty";
  int64_t load = 0;
  Ticks now = departure();
  int place = 0;
  for (const int id : route) {
    const Request* request = FindOpen(id);
    if (request == nullptr) return Cat("request ", id, " is not open");
    load += request->load;
    if (load > instance_->capacity) {
      return Cat("request ", id, " is more than a vehicle can carry: ", load, " of ",
                 instance_->capacity);
    }
    now = std::max(now + instance_->travel(place, request->place), request->opens);
    if (now > request->closes) {
      return Cat("request ", id, " is reached at ", now, " s, after it closes at ", request->closes,
                 " s");
    }
    now += request->service;
    place = request->place;
  }
  now += instance_->travel(place, 0);
  if (now <= instance_->depot_closes) return {};
  return Cat("the route that ends with request ", route.back(), " is back at ", now,
             " s, after the depot closes at ", instance_->depot_closes, " s");
}

int64_t Day::DrivingTime(const Routes& routes) const {
  int64_t driven = 0;
  for (const std::vector<int>& route : routes) {
    int place = 0;
    for (const int id : route) {
      const int next = arrived_.at(id - 1).place;
      driven += instance_->travel(place, next);
      place = next;
    }
    driven += instance_->travel(place, 0);
  }
  return driven;
}

void Day::Dispatch(const Routes& routes) {
  if (const std::optional<std::string> fault = FindFault(routes)) {
    throw UsageError("epoch ", epoch_, ": ", *fault);
  }
  cost_ += DrivingTime(routes);
  std::vector<bool> gone(arrived_.size() + 1);
  for (const std::vector<int>& route : routes) {
    for (const int id : route) gone[id] = true;
  }
  std::erase_if(open_, [&](const Request& request) { return gone[request.id]; });
  dispatched_.push_back(routes);
  ++epoch_;
  BeginEpoch();
}

void Day::Save(ByteWriter& out) const {
  DRAY_CHECK(!live_);
  out.Put(seed_);
  out.Put<int32_t>(std::ssize(dispatched_));
  for (const Routes& routes : dispatched_) {
    out.Put<int32_t>(std::ssize(routes));
    for (const std::vector<int>& route : routes) out.PutVector(route);
  }
}

Day Day::Load(std::shared_ptr<const Instance> instance, ByteReader& in) {
  Day day(std::move(instance), in.Get<uint64_t>());
  const auto epochs = in.Get<int32_t>();
  if (epochs < 0 || epochs > day.instance().epochs()) {
    throw Failure("a saved day of waves is damaged: it has ", epochs, " epochs");
  }
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto count = in.Get<int32_t>();
    if (count < 0 || count > std::ssize(day.open())) {
      throw Failure("a saved day of waves is damaged: an epoch has ", count, " routes");
    }
    Routes routes;
    for (int i = 0; i < count; ++i) routes.push_back(in.GetVector<int>());
    day.Dispatch(routes);
  }
  return day;
}

}  // namespace dray::waves
