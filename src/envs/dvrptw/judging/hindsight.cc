#include "src/envs/dvrptw/judging/hindsight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray::dvrptw {
namespace {

constexpr uint32_t kMostTakenOff = 8;
constexpr int kTurnsToRecreate = 5;
constexpr double kFirstTemperature = 3.0 * kTicksPerMinute;

void TakeOff(int request, Plan& plan) {
  const int pickup = 2 * request;
  for (auto& route : plan.routes) {
    std::erase_if(route, [pickup](int stop) { return stop == pickup || stop == pickup + 1; });
  }
  std::erase_if(plan.routes, [](const auto& route) { return route.empty(); });
}

}  // namespace

Hindsight::Hindsight(const World& world, double patience_weight, int turns)
    : world_(world),
      patience_weight_(patience_weight),
      turns_(turns),
      first_({.rounds = 1000, .seed = 5}),
      between_({.rounds = 60, .seed = 6}),
      polish_({.rounds = 0, .seed = 6}) {}

double Hindsight::Objective(const HindsightPlan& plan, int64_t cost) const {
  double objective = cost;
  for (const int action : plan.actions) {
    objective += kTicksPerMinute * PatiencePenalty(action, patience_weight_);
  }
  return objective;
}

HindsightPlan Hindsight::Solve(std::span<const Trip> trips, std::span<const Flexibility> types) {
  DRAY_CHECK_EQ(trips.size(), types.size());
  Rng rng(/*seed=*/1, RngPurpose::kOracle, /*index=*/0);
  HindsightPlan best;
  double best_objective = std::numeric_limits<double>::infinity();
  for (const bool shifted : {false, true}) {
    HindsightPlan plan{world_.EmptyProblem(), {}, {}};
    for (size_t i = 0; i < trips.size(); ++i) {
      int action = shifted ? LargestShift(MaskOf(types[i])) : kNoShift;
      if (!world_.Servable(Shifted(trips[i], action))) action = kNoShift;
      plan.actions.push_back(action);
      AddRequest(Shifted(trips[i], action), world_.service, plan.problem);
    }
    const double objective = Search(trips, types, rng, plan);
    if (objective < best_objective) {
      best_objective = objective;
      best = std::move(plan);
    }
  }
  return best;
}

double Hindsight::Search(std::span<const Trip> trips, std::span<const Flexibility> types, Rng& rng,
                         HindsightPlan& plan) {
  OracleAnswer answer = first_.SolveOne(plan.problem);
  plan.plan = std::move(answer.plan);
  HindsightPlan now = plan;
  double objective = Objective(now, answer.cost.total());
  double best_objective = objective;
  std::vector<int> by_time(trips.size());
  std::iota(by_time.begin(), by_time.end(), 0);
  std::ranges::sort(by_time, {}, [&](int i) { return trips[i].pickup_early; });
  for (int turn = 0; turn < turns_; ++turn) {
    HindsightPlan next = now;
    const auto count = 2 + rng.Below(kMostTakenOff - 1);
    const auto first = rng.Below(trips.size());
    std::vector<int> taken;
    for (uint32_t i = 0; i < count && first + i < trips.size(); ++i) {
      taken.push_back(by_time[first + i]);
    }
    rng.Shuffle(std::span(taken));
    for (const int request : taken) TakeOff(request, next.plan);
    for (const int request : taken) {
      PutBack(request, trips[request], types[request], next);
    }
    answer =
        (turn % kTurnsToRecreate == 0 ? between_ : polish_).ImproveOne(next.problem, next.plan);
    // With a hard fleet, a plan that leaves somebody out cannot be compared.
    if (answer.cost.unserved > 0) continue;
    next.plan = std::move(answer.plan);
    const double proposed = Objective(next, answer.cost.total());
    const double temperature = kFirstTemperature * (1 - 1.0 * turn / turns_);
    if (proposed < objective - temperature * std::log(1 - rng.Uniform())) {
      objective = proposed;
      now = std::move(next);
    }
    if (objective < best_objective) {
      best_objective = objective;
      plan = now;
    }
  }
  return best_objective;
}

void Hindsight::PutBack(int request, const Trip& asked, Flexibility type, HindsightPlan& plan) {
  const auto windows = WindowsByAction(asked);
  std::array<int64_t, kShiftActions> costs;
  pricing_.Load(plan.problem, plan.plan);
  pricing_.Price(request, windows, costs);
  int best = kNoShift;
  double least = std::numeric_limits<double>::infinity();
  for (int action = 0; action < kShiftActions; ++action) {
    if (!Accepts(type, action) || costs[action] == PricedInsertion::kImpossible) continue;
    const double price =
        costs[action] + kTicksPerMinute * PatiencePenalty(action, patience_weight_);
    if (price < least) {
      least = price;
      best = action;
    }
  }
  plan.actions[request] = best;
  Stop& pickup = plan.problem.stops[2 * request];
  Stop& dropoff = plan.problem.stops[2 * request + 1];
  pickup.opens = windows[best].pickup_opens;
  pickup.closes = windows[best].pickup_closes;
  dropoff.opens = windows[best].delivery_opens;
  dropoff.closes = windows[best].delivery_closes;
  // Inserts only this one: others may still be off the plan.
  book_.Load(plan.problem);
  book_.Adopt(plan.plan, tours_);
  if (const Seat seat = book_.Cheapest(tours_, request); seat.possible()) {
    book_.Insert(tours_, request, seat);
    plan.plan = book_.Answer(tours_).plan;
  }
}

}  // namespace dray::dvrptw
