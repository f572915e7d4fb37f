#include "src/envs/dvrptw/planning/sketch.h"

#include <algorithm>
#include <cstdlib>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

constexpr Ticks kStep = 10 * kTicksPerMinute;

constexpr int ActionOf(int early, int late) { return 4 * (3 - early) + late; }

std::shared_ptr<const std::vector<Ticks>> Transposed(const TravelMatrix& travel) {
  const size_t places = travel.places();
  auto to = std::make_shared<std::vector<Ticks>>(places * places);
  for (size_t from = 0; from < places; ++from) {
    for (size_t there = 0; there < places; ++there) {
      (*to)[there * places + from] = travel.times()[from * places + there];
    }
  }
  return to;
}

}  // namespace

Sketch::Sketch(const World& world, double patience_weight)
    : world_(&world),
      places_(world.city.travel.places()),
      from_(world.city.travel.times().data()),
      to_(Transposed(world.city.travel)) {
  for (size_t steps = 0; steps < patience_by_steps_.size(); ++steps) {
    patience_by_steps_[steps] = patience_weight * kStep * steps;
  }
}

Sketch& Sketch::operator=(const Sketch& other) {
  DRAY_CHECK(world_ == other.world_);
  SketchRoutes::operator=(other);
  patience_by_steps_ = other.patience_by_steps_;
  patience_ = other.patience_;
  return *this;
}

void Sketch::Load(const Problem& problem, const Plan& plan) {
  Clear();
  patience_ = 0;
  for (const Request& request : problem.requests) {
    const Stop& pickup = problem.stops[request.pickup];
    const Stop& dropoff = problem.stops[request.delivery];
    Member& member = members_.emplace_back();
    member.trip = {.rider = 0,
                   .origin = pickup.place,
                   .destination = dropoff.place,
                   .pickup_early = pickup.opens,
                   .pickup_late = pickup.closes,
                   .dropoff_early = dropoff.opens,
                   .dropoff_late = dropoff.closes};
    member.asked = member.trip;
  }
  for (const std::vector<int>& stops : plan.routes) {
    const int index = OpenRoute();
    Visits& visits = route(index).visits;
    for (const int at : stops) {
      const Stop& stop = problem.stops[at];
      Visit visit;
      visit.place = stop.place;
      visit.opens = stop.opens;
      visit.closes = stop.closes;
      visit.load = visits[visits.size() - 2].load + stop.load;
      visit.member = at / 2;
      visits.insert(visits.end() - 1, visit);
      member(visit.member).route = index;
    }
    DriveAnew(index);
  }
}

Plan Sketch::ToPlan() const {
  Plan plan;
  std::vector<uint8_t> aboard(members_.size());
  for (int index = 0; index < used_; ++index) {
    std::vector<int>& stops = plan.routes.emplace_back();
    for (const Visit& visit : routes_[index].visits) {
      if (visit.member < 0) continue;
      uint8_t& here = aboard[visit.member];
      stops.push_back(2 * visit.member + here);
      here = 1;
    }
  }
  return plan;
}

double Sketch::MeanSlack() const {
  double sum = 0;
  size_t visits = 0;
  for (int index = 0; index < used_; ++index) {
    for (const Visit& visit : routes_[index].visits) {
      if (visit.member < 0) continue;
      sum += std::min(visit.latest - visit.start, kSlackCap);
      ++visits;
    }
  }
  return visits > 0 ? sum / visits : 0;
}

int Sketch::OpenRoute() {
  Visit depot;
  depot.place = world_->city.depot;
  depot.closes = kTicksPerDay;
  return Open(depot);
}

int64_t Sketch::Drive(Visits& visits) const {
  const size_t last = visits.size() - 1;
  const Ticks service = world_->service;
  Ticks travel = 0;
  for (size_t i = 1; i <= last; ++i) {
    Visit& here = visits[i];
    here.leg = Travel(visits[i - 1].place, here.place);
    here.start = std::max(visits[i - 1].leave + here.leg, here.opens);
    here.leave = here.start + (i < last ? service : 0);
    travel += here.leg;
  }
  visits[last].latest = visits[last].closes;
  for (size_t i = last; i-- > 0;) {
    const Visit& next = visits[i + 1];
    Visit& here = visits[i];
    here.latest = std::min(here.closes, next.latest - next.leg - (here.leave - here.start));
  }
  return travel;
}

Sketch::View Sketch::Look(const Trip& trip) const {
  const auto row = [this](const Ticks* times, int place) {
    return times + int64_t{place} * places_;
  };
  const Ticks* from_pickup = row(from_, trip.origin);
  return {.trip = trip,
          .to_pickup = row(to_->data(), trip.origin),
          .from_pickup = from_pickup,
          .to_dropoff = row(to_->data(), trip.destination),
          .from_dropoff = row(from_, trip.destination),
          .ride = from_pickup[trip.destination]};
}

Sketch::Seat Sketch::Cheapest(const Trip& trip, const ShiftRange& shifts) const {
  const View view = Look(trip);
  Seat best;
  for (int index = 0; index < used_; ++index) {
    CheapestOn(routes_[index].visits, index, view, shifts, best);
  }
  Alone(view, shifts, best);
  return best;
}

void Sketch::Alone(const View& view, const ShiftRange& shifts, Seat& best) const {
  const Fleet& fleet = world_->fleet;
  if (fleet.hard && used_ >= fleet.free_vehicles) return;
  const int depot = world_->city.depot;
  const double price = view.to_pickup[depot] + view.ride + view.from_dropoff[depot] +
                       static_cast<double>(VehicleCost(used_ + 1) - VehicleCost(used_)) +
                       patience_by_steps_[shifts.early_least + shifts.late_least];
  if (price >= best.price) return;
  const int action = ActionOf(shifts.early_least, shifts.late_least);
  if (!world_->Servable(Shifted(view.trip, action))) return;
  best = {price, action, -1, 0, 0};
}

void Sketch::CheapestOn(const Visits& visits, int index, const View& view, const ShiftRange& shifts,
                        Seat& best) const {
  const Trip& trip = view.trip;
  const Ticks service = world_->service;
  const int capacity = world_->fleet.capacity;
  const int last = std::ssize(visits) - 1;
  const Ticks closes = trip.pickup_late - shifts.early_least * kStep;
  const Ticks earliest = trip.pickup_early - shifts.early_most * kStep;
  const Ticks dropoff_closes = trip.dropoff_late + shifts.late_most * kStep;

  // Prices the dropoff between a visit that is left at `leave` and `next`.
  const auto drop = [&](Ticks leave, Ticks to, const Visit& next, double detour, int early, int i,
                        int j) {
    const Ticks from = view.from_dropoff[next.place];
    const double price = detour + to + from + patience_by_steps_[early];
    if (price >= best.price) return;
    const Ticks reached = leave + to;
    if (reached > dropoff_closes) return;
    const Ticks over = reached - trip.dropoff_late;
    const int late = std::max(shifts.late_least, over > 0 ? (over + kStep - 1) / kStep : 0);
    const double whole = price + patience_by_steps_[late];
    if (whole >= best.price) return;
    const Ticks start = std::max(reached, trip.dropoff_early + late * kStep);
    if (start + service + from > next.latest) return;
    best = {whole, ActionOf(early, late), index, i, j};
  };

  for (int i = 0; i < last; ++i) {
    const Visit& before = visits[i];
    if (before.leave > closes) break;
    const Visit& after = visits[i + 1];
    if (after.latest < earliest || before.load >= capacity) continue;
    const Ticks to = view.to_pickup[before.place];
    const Ticks arrival = before.leave + to;
    if (arrival > closes) continue;
    const Ticks away = view.from_pickup[after.place];
    const Ticks detour = to + away - after.leg;
    const int early_most = std::min(shifts.early_most, (trip.pickup_late - arrival) / kStep);
    for (int early = shifts.early_least; early <= early_most; ++early) {
      // By the triangle inequality, a dropoff only adds to the detour of the pickup.
      if (detour + patience_by_steps_[early] >= best.price) break;
      const Ticks opens = trip.pickup_early - early * kStep;
      const Ticks leave = std::max(arrival, opens) + service;
      // The dropoff follows at once ...
      drop(leave, view.ride, after, to - after.leg, early, i, i);
      // ... or later: the delay that the pickup causes is carried along the route.
      Ticks time = leave + away;
      for (int j = i + 1; j < last; ++j) {
        const Visit& here = visits[j];
        if (time > here.latest || here.load >= capacity) break;
        const Ticks left = here.leave + std::max(time - here.start, 0);
        if (left > dropoff_closes) break;
        const Visit& next = visits[j + 1];
        drop(left, view.to_dropoff[here.place], next, detour - next.leg, early, i, j);
        time = left + next.leg;
      }
      // An even earlier pickup would only reduce waiting.
      if (arrival >= opens) break;
    }
  }
}

void Sketch::Add(const Trip& trip, const Seat& seat) {
  AddOpen(trip, seat, ShiftRange::Of(seat.action));
}

void Sketch::AddOpen(const Trip& trip, const Seat& seat, const ShiftRange& shifts) {
  DRAY_CHECK(seat.possible());
  Member& member = members_.emplace_back();
  member.asked = trip;
  member.open = shifts;
  GiveShift(member, seat.action);
  Insert(std::ssize(members_) - 1, seat);
}

void Sketch::GiveShift(Member& member, int action) {
  member.trip = Shifted(member.asked, action);
  patience_ += PatienceOf(action) - member.patience;
  member.patience = PatienceOf(action);
}

void Sketch::Insert(int index, const Seat& seat) {
  Member& placed = member(index);
  const Trip& trip = placed.trip;
  placed.route = seat.route < 0 ? OpenRoute() : seat.route;
  Visits& visits = route(placed.route).visits;
  Visit pickup, dropoff;
  pickup.member = dropoff.member = index;
  pickup.place = trip.origin;
  pickup.opens = trip.pickup_early;
  pickup.closes = trip.pickup_late;
  pickup.load = visits[seat.pickup_after].load + 1;
  dropoff.place = trip.destination;
  dropoff.opens = trip.dropoff_early;
  dropoff.closes = trip.dropoff_late;
  dropoff.load = visits[seat.dropoff_after].load;
  for (int i = seat.pickup_after + 1; i <= seat.dropoff_after; ++i) {
    ++visits[i].load;
  }
  visits.insert(visits.begin() + seat.dropoff_after + 1, dropoff);
  visits.insert(visits.begin() + seat.pickup_after + 1, pickup);
  DriveAnew(placed.route);
}

Sketch::Seat Sketch::BetterThan(int64_t saved) {
  Seat seat;
  seat.price = saved - 0.5;  // a move must gain a tick
  seat.route = kNowhere;
  return seat;
}

void Sketch::LeaveOut(const Route& whole, int member) {
  without_.clear();
  bool aboard = false;
  for (const Visit& visit : whole.visits) {
    if (visit.member == member) {
      aboard = !aboard;
      continue;
    }
    without_.push_back(visit);
    without_.back().load = visit.load - aboard;
  }
}

Ticks Sketch::Apart(const Member& a, const Member& b) const {
  return Travel(a.trip.origin, b.trip.origin) + Travel(a.trip.destination, b.trip.destination) +
         std::abs(a.trip.pickup_early - b.trip.pickup_early);
}

bool Sketch::Recreate(double most) {
  double waiting = 0;  // patience of the trips that are still out
  for (const int index : taken_) waiting += member(index).patience;
  for (const int index : taken_) {
    Member& back = member(index);
    waiting -= back.patience;
    const Seat seat = Cheapest(back.asked, back.open);
    if (!seat.possible()) return false;
    GiveShift(back, seat.action);
    Insert(index, seat);
    // By the triangle inequality, later trips can only add cost; half a tick covers rounding.
    if (Objective() - waiting > most + 0.5) return false;
  }
  return true;
}

}  // namespace dray::dvrptw
