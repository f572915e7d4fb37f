#include "src/oracle/fewest_vehicles_search.h"

#include <algorithm>

namespace dray {
namespace {

constexpr int kFounderShare = 4;    // a founder has one in so many of the rounds
constexpr int kBreedingRounds = 6;  // of all children, in rounds of a search
constexpr int kChildRounds = 5;     // of a child, for each request

}  // namespace

OracleAnswer FewestVehiclesSearch::Run(const Problem& problem) {
  search_.Load(problem, nullptr);
  Found();
  if (!problem.requests.empty()) Breed();
  return search_.Finished(pool_.front());
}

void FewestVehiclesSearch::Found() {
  const int fleet = search_.book().vehicle_limit();
  const int rounds = (options_.rounds + kFounderShare - 1) / kFounderShare;
  for (size_t founder = 0; founder < founders(); ++founder) {
    search_.Reseed(founder);
    search_.book().set_vehicle_limit(fleet);
    search_.Found(rounds);
    pool_.push_back(search_.best());
  }
  search_.book().set_vehicle_limit(fleet);
  KeepFewest();
}

void FewestVehiclesSearch::KeepFewest() {
  std::stable_sort(pool_.begin(), pool_.end(),
                   [&](const Tours& a, const Tours& b) { return Rank(a) < Rank(b); });
  const Tours& best = pool_.front();
  if (best.absent.empty()) search_.book().set_vehicle_limit(best.used.size());
  while (pool_.size() > 2 && pool_.back().used.size() > pool_.front().used.size()) pool_.pop_back();
}

void FewestVehiclesSearch::Breed() {
  search_.Reseed(founders());
  const int rounds = kChildRounds * search_.book().requests();
  int64_t left = int64_t{kBreedingRounds} * options_.rounds * options_.searches;
  while (left > 0) left -= BreedOne(rounds);
}

int FewestVehiclesSearch::BreedOne(int rounds) {
  Rng& rng = search_.rng();
  const uint32_t plans = pool_.size();
  size_t first = rng.Below(plans);
  size_t second = rng.Below(plans - 1);
  if (second >= first) ++second;
  if (pool_[first].used.size() > pool_.front().used.size()) std::swap(first, second);
  const size_t fewer = std::min(pool_[first].used.size(), pool_[second].used.size());
  const int routes = 1 + rng.Below(std::max<uint32_t>(1, fewer / 2));
  const size_t stops = search_.book().table().problem().stops.size();
  const int about = rng.Below(stops);
  crossing_.Cross(search_.book(), pool_[first], pool_[second], search_.Nearest(about), routes,
                  search_.current());
  const int spent = search_.Continue(rounds, pool_[first].absent.size());
  Keep(search_.best(), first);
  return std::max(1, spent);
}

void FewestVehiclesSearch::Keep(const Tours& child, size_t parent) {
  for (size_t i = 0; i < pool_.size(); ++i)
    if (i != parent && Rank(pool_[i]) == Rank(child)) return;  // a twin hands on nothing new
  const bool room = pool_.size() < founders() && child.absent.size() <= pool_.front().absent.size();
  if (room) {
    pool_.push_back(child);
  } else if (Rank(child) < Rank(pool_[parent])) {
    pool_[parent] = child;
  } else {
    return;
  }
  KeepFewest();
}

}  // namespace dray
