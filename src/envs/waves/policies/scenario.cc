#include "src/envs/waves/policies/scenario.h"

#include <algorithm>

#include "src/oracle/vrptw/prize_search.h"

namespace dray::waves {
namespace {

// First temperature when a plan is continued: it needs repair, not a new structure.
constexpr double kRepairTemperature = 0.3;

PrizeStop StopOf(const Request& request, Ticks release) {
  return {.place = request.place,
          .opens = request.opens,
          .closes = request.closes,
          .service = request.service,
          .load = request.load,
          .release = release};
}

}  // namespace

Scenario::Scenario(const Day& day, int lookahead, Rng& rng)
    : open_(static_cast<int>(day.open().size())),
      departure_(day.departure()),
      next_departure_(day.instance().Departure(day.epoch() + 1)),
      problem_{.travel = day.instance().travel,
               .depot_opens = departure_,
               .depot_closes = day.instance().depot_closes,
               .capacity = day.instance().capacity},
      seed_(rng.Next64()) {
  for (const Request& request : day.open()) problem_.stops.push_back(StopOf(request, departure_));
  const int last = std::min(day.epoch() + lookahead, day.instance().last_epoch);
  for (int epoch = day.epoch() + 1; epoch <= last; ++epoch) {
    for (const Request& request : SampleArrivals(day.instance(), epoch, rng, day.recorded_day()))
      problem_.stops.push_back(StopOf(request, day.instance().Departure(epoch)));
  }
}

// Returns the plan without the stops that no longer fit into their routes.
std::vector<std::vector<int>> Scenario::Compatible() const {
  std::vector<std::vector<int>> routes;
  for (const std::vector<int>& route : plan_) {
    Ticks leaves = departure_;
    for (const int stop : route) leaves = std::max(leaves, problem_.stops[stop].release);
    std::vector<int> kept;
    if (leaves == departure_) {
      kept = route;
    } else {
      // A route that waits keeps its dispatched stops or the others, whichever are more.
      const auto goes = [&](int stop) { return problem_.stops[stop].leaves_by == departure_; };
      const bool keep_going =
          2 * std::count_if(route.begin(), route.end(), goes) > std::ssize(route);
      for (const int stop : route) {
        const bool waits = problem_.stops[stop].release > departure_;
        if (keep_going ? !waits : !goes(stop)) kept.push_back(stop);
      }
      leaves = departure_;
      for (const int stop : kept) leaves = std::max(leaves, problem_.stops[stop].release);
    }
    // A later departure may make it late.
    Ticks time = leaves;
    int place = problem_.depot;
    bool fits = true;
    for (const int index : kept) {
      const PrizeStop& stop = problem_.stops[index];
      time = std::max(time + problem_.travel(place, stop.place), stop.opens);
      fits = fits && time <= stop.closes;
      time += stop.service;
      place = stop.place;
    }
    fits = fits && time + problem_.travel(place, problem_.depot) <= problem_.depot_closes;
    if (fits && !kept.empty()) routes.push_back(std::move(kept));
  }
  return routes;
}

void Scenario::Improve(std::span<const Verdict> verdicts, const Effort& effort) {
  for (int i = 0; i < open_; ++i) {
    problem_.stops[i].release = verdicts[i] == Verdict::kHold ? next_departure_ : departure_;
    problem_.stops[i].leaves_by = verdicts[i] == Verdict::kDispatch ? departure_ : kMaxTicks;
  }
  PrizeSearchOptions options{.seed = seed_};
  if (improved_) options.first_temperature = kRepairTemperature;
  PrizeSearch search(problem_, options);
  if (improved_) search.Start(Compatible());
  effort.Spend(search);
  PrizePlan plan = search.Best();
  plan_ = std::move(plan.routes);
  cost_ = plan.cost;
  improved_ = true;
}

bool Scenario::GoesNow(const std::vector<int>& route, std::span<const Verdict> verdicts) const {
  bool later = false;
  for (const int stop : route) {
    if (stop < open_ && verdicts[stop] == Verdict::kDispatch) return true;
    later = later || stop >= open_ || verdicts[stop] == Verdict::kHold;
  }
  return !later;
}

std::vector<uint8_t> Scenario::LeavesNow(std::span<const Verdict> verdicts) const {
  std::vector<uint8_t> now(open_);
  for (const std::vector<int>& route : plan_) {
    if (!GoesNow(route, verdicts)) continue;
    for (const int stop : route) {
      if (stop < open_) now[stop] = 1;
    }
  }
  return now;
}

}  // namespace dray::waves
