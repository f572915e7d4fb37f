#include "src/envs/waves/sketch.h"

#include <algorithm>

namespace dray::waves {

Sketch::Sketch(const Instance& instance, Ticks departure)
    : instance_(&instance), leaves_(departure) {}

bool Sketch::Fits(const Route& route, int position, const Request& request, int64_t* cost) const {
  const TravelMatrix& travel = instance_->travel;
  int before = 0, after = 0;
  Ticks free_at = leaves_;
  Ticks latest = instance_->depot_closes;
  if (position > 0) {
    const Visit& visit = route.visits[position - 1];
    before = visit.request.place;
    free_at = visit.begins + visit.request.service;
  }
  if (position < std::ssize(route.visits)) {
    after = route.visits[position].request.place;
    latest = route.visits[position].latest;
  }
  const Ticks begins = std::max(free_at + travel(before, request.place), request.opens);
  if (begins > request.closes) return false;
  if (begins + request.service + travel(request.place, after) > latest) return false;
  *cost = int64_t{travel(before, request.place)} + travel(request.place, after) -
          (route.visits.empty() ? 0 : travel(before, after));
  return true;
}

Sketch::Slot Sketch::Cheapest(const Request& request) const {
  const int alone = std::ssize(routes_);
  Slot best{
      .route = alone,
      .position = 0,
      .cost = int64_t{instance_->travel(0, request.place)} + instance_->travel(request.place, 0)};
  for (int r = 0; r < alone; ++r) {
    const Route& route = routes_[r];
    if (route.load + request.load > instance_->capacity) continue;
    for (int position = 0; position <= std::ssize(route.visits); ++position) {
      int64_t cost = 0;
      if (!Fits(route, position, request, &cost) || cost >= best.cost) continue;
      best = {.route = r, .position = position, .cost = cost};
    }
  }
  return best;
}

void Sketch::Insert(const Request& request, const Slot& slot) {
  if (slot.route == std::ssize(routes_)) routes_.emplace_back();
  Route& route = routes_[slot.route];
  route.visits.insert(route.visits.begin() + slot.position, Visit{.request = request});
  route.load += request.load;
  cost_ += slot.cost;
  Reschedule(route);
}

void Sketch::Reschedule(Route& route) const {
  const TravelMatrix& travel = instance_->travel;
  int place = 0;
  Ticks now = leaves_;
  for (Visit& visit : route.visits) {
    visit.begins = std::max(now + travel(place, visit.request.place), visit.request.opens);
    now = visit.begins + visit.request.service;
    place = visit.request.place;
  }
  Ticks latest = instance_->depot_closes;
  int next = 0;
  for (auto visit = route.visits.rbegin(); visit != route.visits.rend(); ++visit) {
    const Request& request = visit->request;
    latest = std::min(latest - travel(request.place, next) - request.service, request.closes);
    visit->latest = latest;
    next = request.place;
  }
}

Routes Sketch::routes() const {
  Routes routes;
  for (const Route& route : routes_) {
    std::vector<int>& ids = routes.emplace_back();
    for (const Visit& visit : route.visits) ids.push_back(visit.request.id);
  }
  return routes;
}

}  // namespace dray::waves
