#include "src/envs/waves/instance.h"

#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/waves/draws.h"
#include "src/routing/readers.h"

namespace dray::waves {
namespace {

constexpr int kMostEpochs = 168;  // a week

}  // namespace

int EpochOf(Ticks opens) { return std::max((opens - kEpoch_s) / kEpoch_s, 0); }

bool Instance::CanServe(const Request& request, Ticks departure) const {
  const Ticks begins = std::max(departure + travel(0, request.place), request.opens);
  return begins <= request.closes &&
         begins + request.service + travel(request.place, 0) <= depot_closes;
}

void SetEpochs(Instance& instance) {
  const auto [first, last] =
      std::minmax_element(instance.customers.begin(), instance.customers.end(),
                          [](const Stop& a, const Stop& b) { return a.opens < b.opens; });
  instance.first_epoch = EpochOf(first->opens);
  instance.last_epoch = EpochOf(last->opens);
}

Instance ParseInstance(const std::string& path, std::string text) {
  ReadOptions options;
  options.rounding = Rounding::kNearest;
  Problem problem = ParseProblem(path, std::move(text), options);
  Instance instance{.name = std::move(problem.name),
                    .travel = std::move(problem.travel),
                    .depot_opens = problem.depot_opens,
                    .depot_closes = problem.depot_closes,
                    .capacity = problem.fleet.capacity,
                    .customers = std::move(problem.stops),
                    .points = std::move(problem.points)};
  for (const dray::Request& request : problem.requests) {
    if (!request.paired()) continue;
    throw UsageError(path, ": has pickups with deliveries; waves need customers of one stop each");
  }
  SetEpochs(instance);
  if (instance.epochs() > kMostEpochs) {
    throw UsageError(path, ": windows open during ", instance.epochs(), " hours, more than ",
                     kMostEpochs, "; give times in seconds");
  }
  if (instance.depot_opens > instance.Departure(instance.first_epoch)) {
    throw UsageError(path, ": the depot opens at ", instance.depot_opens,
                     " s, after the first vehicles leave at ",
                     instance.Departure(instance.first_epoch), " s; let it open earlier");
  }
  return instance;
}

Instance ReadInstance(const std::string& path) { return ParseInstance(path, ReadFile(path)); }

std::vector<Request> SampleArrivals(const Instance& instance, int epoch, Rng& rng, int but_day) {
  if (const auto& days = instance.recorded; !days.empty()) {
    const size_t others = days.size() - (but_day >= 0 ? 1 : 0);
    if (others == 0) return {};
    const int chosen = static_cast<int>(rng.Below(others));
    const int day = but_day >= 0 && chosen >= but_day ? chosen + 1 : chosen;
    return days[day][epoch - instance.first_epoch];
  }
  const uint32_t customers = instance.customers.size();
  Draws draws;
  for (auto* column : {&draws.places, &draws.windows, &draws.loads, &draws.services}) {
    for (int i = 0; i < instance.draws; ++i) column->push_back(rng.Below(customers));
  }
  return Arrivals(instance, epoch, draws);
}

}  // namespace dray::waves
