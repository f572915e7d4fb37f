#include "src/routing/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/error.h"

namespace dray {
namespace {

using MaybeDefect = std::optional<Defect>;

template <typename... Parts>
MaybeDefect At(int stop, const char* field, const Parts&... parts) {
  return Defect{stop, field, Cat(parts...)};
}

bool InRange(Ticks ticks) { return -kMaxTicks <= ticks && ticks <= kMaxTicks; }

MaybeDefect DefectOfFleet(const Problem& problem) {
  const Fleet& fleet = problem.fleet;
  if (fleet.capacity < 1 || fleet.capacity > kMaxLoad) {
    return At(-1, "capacity", "must be from 1 to ", kMaxLoad, ", found ", fleet.capacity,
              "; give every vehicle some room");
  }
  const int least = fleet.hard ? 1 : 0;
  if (fleet.free_vehicles < least) {
    return At(-1, "free_vehicles", "must be at least ", least, ", found ", fleet.free_vehicles,
              "; give the fleet a vehicle");
  }
  if (fleet.extra_vehicle_cost < 0 || !InRange(fleet.extra_vehicle_cost)) {
    return At(-1, "extra_vehicle_cost", "must be from 0 to ", kMaxTicks, " ticks, found ",
              fleet.extra_vehicle_cost, "; choose a cost in that range");
  }
  return {};
}

MaybeDefect DefectOfDepot(const Problem& problem) {
  if (problem.ticks_per_unit < 1) {
    return At(-1, "ticks_per_unit", "must be at least 1, found ", problem.ticks_per_unit,
              "; the delivery task has 10");
  }
  if (problem.depot < 0 || problem.depot >= problem.travel.places()) {
    return At(-1, "depot", "there is no place ", problem.depot, "; the travel matrix has ",
              problem.travel.places(), " places, counted from 0");
  }
  if (!InRange(problem.depot_opens) || !InRange(problem.depot_closes)) {
    return At(-1, "depot_closes", "times go up to ", kMaxTicks, " ticks; use a coarser unit");
  }
  if (problem.depot_closes < problem.depot_opens) {
    return At(-1, "depot_closes", "the depot closes at ", problem.Format(problem.depot_closes),
              ", before it opens at ", problem.Format(problem.depot_opens), "; swap or fix them");
  }
  return {};
}

MaybeDefect DefectOfTravel(const Problem& problem) {
  const TravelMatrix& travel = problem.travel;
  for (int from = 0; from < travel.places(); ++from) {
    for (int to = 0; to < travel.places(); ++to) {
      const Ticks time = travel(from, to);
      if (time >= 0 && InRange(time)) continue;
      return At(-1, "travel", "from place ", from, " to place ", to, " must be from 0 to ",
                problem.Format(kMaxTicks), ", found ", problem.Format(time), "; fix the matrix");
    }
  }
  if (const Ticks time = travel(problem.depot, problem.depot); time != 0) {
    return At(-1, "travel", "from the depot to itself must be 0, found ", problem.Format(time),
              "; fix the matrix");
  }
  return {};
}

MaybeDefect DefectOfStop(const Problem& problem, int index) {
  const Stop& stop = problem.stops[index];
  if (stop.place < 0 || stop.place >= problem.travel.places()) {
    return At(index, "place", "there is no place ", stop.place, "; the travel matrix has ",
              problem.travel.places(), " places, counted from 0");
  }
  if (!InRange(stop.opens) || !InRange(stop.closes)) {
    return At(index, "closes", "times go up to ", kMaxTicks, " ticks; use a coarser unit");
  }
  if (stop.closes < stop.opens) {
    return At(index, "closes", "the window closes at ", problem.Format(stop.closes),
              ", before it opens at ", problem.Format(stop.opens), "; swap or fix them");
  }
  if (stop.service < 0 || !InRange(stop.service)) {
    return At(index, "service", "must be from 0 to ", problem.Format(kMaxTicks), ", found ",
              problem.Format(stop.service), "; 0 is no service time");
  }
  return {};
}

MaybeDefect DefectOfMembership(const Problem& problem) {
  const int stops = problem.stops.size();
  std::vector<int> uses(problem.stops.size());
  for (size_t i = 0; i < problem.requests.size(); ++i) {
    const Request& request = problem.requests[i];
    if (request.pickup < 0 || request.pickup >= stops || request.delivery >= stops) {
      return At(-1, "requests", "request ", i, " names a stop that does not exist; there are ",
                stops, " stops, counted from 0");
    }
    ++uses[request.pickup];
    if (request.paired()) ++uses[request.delivery];
  }
  for (int stop = 0; stop < stops; ++stop) {
    if (uses[stop] == 1) continue;
    return At(stop, "requests", "belongs to ", uses[stop], " requests; each stop belongs to one");
  }
  return {};
}

MaybeDefect DefectOfLoad(const Problem& problem, const Request& request) {
  const int load = problem.stops[request.pickup].load;
  if (load < 0) {
    return At(request.pickup, "load", "must not be negative, found ", load,
              request.paired() ? "; a pickup comes before its delivery"
                               : "; what is dropped off needs a pickup");
  }
  if (load > problem.fleet.capacity) {
    return At(request.pickup, "load", load, " is more than a vehicle holds (",
              problem.fleet.capacity, "); split it or raise the capacity");
  }
  if (request.paired() && problem.stops[request.delivery].load != -load) {
    return At(request.delivery, "load", "a delivery drops off what its pickup (",
              problem.NameOfStop(request.pickup), ") took: expected ", -load, ", found ",
              problem.stops[request.delivery].load);
  }
  return {};
}

// Checks that one vehicle can serve this request alone.
MaybeDefect DefectOfService(const Problem& problem, const Request& request) {
  int place = problem.depot;
  int64_t now = problem.depot_opens;
  for (const int index : {request.pickup, request.delivery}) {
    if (index < 0) continue;
    const Stop& stop = problem.stops[index];
    now += problem.travel(place, stop.place);
    if (now > stop.closes) {
      return At(index, "closes", "no vehicle can serve it: driving straight there it arrives at ",
                problem.Format(now), ", after the window closed at ", problem.Format(stop.closes),
                "; widen the window");
    }
    now = std::max<int64_t>(now, stop.opens) + stop.service;
    place = stop.place;
  }
  now += problem.travel(place, problem.depot);
  if (now <= problem.depot_closes) return {};
  const int last = request.paired() ? request.delivery : request.pickup;
  return At(last, "opens", "no vehicle can serve it: driving straight back it is at the depot at ",
            problem.Format(now), ", after that closed at ", problem.Format(problem.depot_closes),
            "; open earlier, or keep the depot open longer");
}

template <typename Find>
MaybeDefect FirstOfRequests(const Problem& problem, const Find& find) {
  for (const Request& request : problem.requests) {
    if (MaybeDefect defect = find(problem, request)) return defect;
  }
  return {};
}

}  // namespace

double Distance(const Point& a, const Point& b) {
  const double x = a.x - b.x, y = a.y - b.y;
  return std::sqrt(x * x + y * y);
}

std::string FormatTicks(int64_t ticks, int ticks_per_unit) {
  int decimals = 0;
  int power = 1;
  while (power < ticks_per_unit && decimals < 9) {
    power *= 10;
    ++decimals;
  }
  if (power != ticks_per_unit) return Cat(static_cast<double>(ticks) / ticks_per_unit);
  const std::string whole = Cat(ticks < 0 ? "-" : "", std::abs(ticks / power));
  if (decimals == 0) return whole;
  const std::string part = Cat(std::abs(ticks % power));
  return Cat(whole, ".", std::string(decimals - part.size(), '0'), part);
}

TravelMatrix::TravelMatrix(int places, std::vector<Ticks> times)
    : places_(places),
      times_(std::make_shared<const std::vector<Ticks>>(std::move(times))),
      at_(times_->data()),
      fingerprint_(
          Fingerprint({reinterpret_cast<const char*>(at_), times_->size() * sizeof(Ticks)})) {
  DRAY_CHECK_EQ(std::ssize(*times_), int64_t{places} * places);
}

std::vector<int> Problem::RequestOfStop() const {
  std::vector<int> request_of_stop(stops.size(), -1);
  for (size_t i = 0; i < requests.size(); ++i) {
    request_of_stop[requests[i].pickup] = i;
    if (requests[i].paired()) request_of_stop[requests[i].delivery] = i;
  }
  return request_of_stop;
}

std::string Problem::NameOfStop(int stop) const {
  return numbers.empty() ? Cat("stop ", stop) : Cat("customer ", numbers[stop]);
}

std::optional<Defect> FindDefect(const Problem& problem) {
  if (MaybeDefect defect = DefectOfFleet(problem)) return defect;
  if (MaybeDefect defect = DefectOfDepot(problem)) return defect;
  if (MaybeDefect defect = DefectOfTravel(problem)) return defect;
  for (size_t stop = 0; stop < problem.stops.size(); ++stop) {
    if (MaybeDefect defect = DefectOfStop(problem, stop)) return defect;
  }
  if (MaybeDefect defect = DefectOfMembership(problem)) return defect;
  if (MaybeDefect defect = FirstOfRequests(problem, DefectOfLoad)) return defect;
  return FirstOfRequests(problem, DefectOfService);
}

void Validate(const Problem& problem, const std::string& where) {
  const std::optional<Defect> defect = FindDefect(problem);
  if (!defect) return;
  const std::string stop = defect->stop < 0 ? "" : problem.NameOfStop(defect->stop) + ": ";
  throw UsageError(where, ": ", stop, defect->field, ": ", defect->text);
}

}  // namespace dray
