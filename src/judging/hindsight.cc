#include "src/judging/hindsight.h"

#include <array>
#include <limits>
#include <numeric>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {
namespace {

constexpr int kPatience = 4;  // turns without a better plan

void TakeOff(int request, Plan& plan) {
  const int pickup = 2 * request;
  for (auto& route : plan.routes) {
    std::erase_if(route, [pickup](int stop) { return stop == pickup || stop == pickup + 1; });
  }
  std::erase_if(plan.routes, [](const auto& route) { return route.empty(); });
}

}  // namespace

Hindsight::Hindsight(const DeliveryWorld& world, double patience_weight, int turns)
    : world_(world),
      patience_weight_(patience_weight),
      turns_(turns),
      first_({.rounds = 1000, .seed = 5}),
      between_({.rounds = 150, .seed = 6}),
      insertion_(/*local_search=*/false) {}

double Hindsight::Objective(const HindsightPlan& plan, int64_t cost) const {
  double objective = static_cast<double>(cost);
  for (const int action : plan.actions) {
    objective += kTicksPerMinute * PatiencePenalty(action, patience_weight_);
  }
  return objective;
}

HindsightPlan Hindsight::Solve(std::span<const Trip> trips, std::span<const Flexibility> types) {
  DRAY_CHECK_EQ(trips.size(), types.size());
  HindsightPlan now{world_.EmptyProblem(), {}, std::vector<int>(trips.size(), kNoShift)};
  for (const Trip& trip : trips) AddRequest(trip, world_.service, now.problem);
  OracleAnswer answer = first_.SolveOne(now.problem);
  now.plan = std::move(answer.plan);
  HindsightPlan best = now;
  double best_objective = Objective(now, answer.cost.total());
  std::vector<int> order(trips.size());
  std::iota(order.begin(), order.end(), 0);
  Rng rng(/*seed=*/1, RngPurpose::kOracle, /*index=*/0);
  for (int turn = 0, idle = 0; turn < turns_ && idle < kPatience; ++turn) {
    rng.Shuffle(std::span(order));
    for (const int request : order) {
      PutBack(request, trips[static_cast<size_t>(request)], types[static_cast<size_t>(request)],
              now);
    }
    answer = between_.ImproveOne(now.problem, now.plan);
    now.plan = std::move(answer.plan);
    const double objective = Objective(now, answer.cost.total());
    ++idle;
    // With a hard fleet somebody may be left out: that is no plan to compare with.
    if (answer.cost.unserved == 0 && objective < best_objective) {
      best_objective = objective;
      best = now;
      idle = 0;
    }
  }
  return best;
}

void Hindsight::PutBack(int request, const Trip& asked, Flexibility type, HindsightPlan& plan) {
  std::array<RequestWindows, kShiftActions> windows;
  std::array<int64_t, kShiftActions> costs;
  for (int action = 0; action < kShiftActions; ++action) {
    windows[action] = WindowsOf(Shifted(asked, action));
  }
  TakeOff(request, plan.plan);
  pricing_.Load(plan.problem, plan.plan);
  pricing_.Price(request, windows, costs);
  int best = kNoShift;
  double least = std::numeric_limits<double>::infinity();
  for (int action = 0; action < kShiftActions; ++action) {
    if (!Accepts(type, action) || costs[action] == PricedInsertion::kImpossible) continue;
    const double price = static_cast<double>(costs[action]) +
                         kTicksPerMinute * PatiencePenalty(action, patience_weight_);
    if (price < least) {
      least = price;
      best = action;
    }
  }
  plan.actions[static_cast<size_t>(request)] = best;
  Stop& pickup = plan.problem.stops[static_cast<size_t>(2 * request)];
  Stop& dropoff = plan.problem.stops[static_cast<size_t>(2 * request + 1)];
  pickup.opens = windows[best].pickup_opens;
  pickup.closes = windows[best].pickup_closes;
  dropoff.opens = windows[best].delivery_opens;
  dropoff.closes = windows[best].delivery_closes;
  plan.plan = insertion_.ImproveOne(plan.problem, plan.plan).plan;
}

}  // namespace dray
