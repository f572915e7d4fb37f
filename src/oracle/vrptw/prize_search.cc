#include "src/oracle/vrptw/prize_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>

#include "src/base/error.h"

namespace dray {
namespace {

// Weight of waiting time in the distance of two stops that are served one after the other.
constexpr double kWaitingWeight = 0.2;
// Rounds between looks at the clock.
constexpr int64_t kRoundsPerLook = 64;
// Most unserved stops that a round tries besides the removed ones.
constexpr int kMostUnserved = 5;
// Stops in the list of the nearest; a round visits few of them.
constexpr size_t kNearest = 200;
// Probability that a split string keeps one more stop.
constexpr double kMoreKeptShare = 0.01;

}  // namespace

PrizeSearch::PrizeSearch(const PrizeProblem& problem, const PrizeSearchOptions& options)
    : problem_(&problem),
      options_(options),
      rng_(options.seed, RngPurpose::kOracle, 0),
      routes_(problem),
      is_changed_(problem.stops.size()) {
  SortNeighbours();
  for (const PrizeStop& stop : problem.stops) {
    if (!stop.mandatory()) unserved_prizes_ += stop.prize;
  }
  Start({});
}

void PrizeSearch::Start(const std::vector<std::vector<int>>& routes) {
  for (int route = 0; route < routes_.stops(); ++route) {
    if (routes_.Length(route) == 0) continue;
    for (int stop = routes_.First(route); stop != routes_.depot(); stop = routes_.Next(stop)) {
      if (!routes_.stop(stop).mandatory()) unserved_prizes_ += routes_.stop(stop).prize;
    }
    routes_.Assign(route, {});
  }
  int route = 0;
  for (const std::vector<int>& stops : routes) {
    for (const int stop : stops) {
      if (!routes_.stop(stop).mandatory()) unserved_prizes_ -= routes_.stop(stop).prize;
    }
    routes_.Assign(route++, stops);
  }
  removed_.clear();
  for (int stop = 0; stop < routes_.stops(); ++stop) {
    if (routes_.RouteOf(stop) == PrizeRoutes::kNone) removed_.push_back(stop);
  }
  Recreate();
  changed_count_ = 0;
  std::fill(is_changed_.begin(), is_changed_.end(), 0);
  mean_leg_ = std::max(
      1.0, static_cast<double>(routes_.travel()) / (routes_.served() + routes_.used_routes() + 1));
  best_cost_ = std::numeric_limits<int64_t>::max();
  KeepIfBest();
}

void PrizeSearch::SortNeighbours() {
  const int stops = routes_.stops();
  const auto count = std::min<size_t>(options_.neighbours, std::max(stops - 1, 0));
  before_.resize(stops);
  after_.resize(stops);
  near_.resize(stops);
  constexpr int64_t kApart = std::numeric_limits<int64_t>::max() / 4;
  // Cost of serving `second` after `first`.
  const auto cost = [&](int first, int second) -> int64_t {
    const PrizeStop& one = routes_.stop(first);
    const PrizeStop& other = routes_.stop(second);
    const Ticks leg = routes_.Travel(first, second);
    const Ticks leaves = std::max({one.release, other.release, problem_->depot_opens});
    if (leaves > std::min(one.leaves_by, other.leaves_by)) return kApart;
    const Ticks begins = std::max(one.opens, leaves + routes_.Travel(routes_.depot(), first));
    if (begins > one.closes || begins + one.service + leg > other.closes) return kApart;
    const Ticks waiting = std::max(0, other.opens - (one.closes + one.service + leg));
    return leg + std::llround(kWaitingWeight * waiting);
  };
  std::vector<std::pair<int64_t, int>> keyed;
  const auto nearest = [&](int stop, size_t most, const auto& key) {
    keyed.clear();
    for (int other = 0; other < stops; ++other) {
      if (other == stop) continue;
      const int64_t distance = key(other);
      if (distance < kApart) keyed.emplace_back(distance, other);
    }
    const size_t kept = std::min(most, keyed.size());
    std::partial_sort(keyed.begin(), keyed.begin() + kept, keyed.end());
    keyed.resize(kept);
  };
  for (int stop = 0; stop < stops; ++stop) {
    nearest(stop, count, [&](int other) { return cost(other, stop); });
    for (const auto& [key, other] : keyed)
      before_[stop].push_back({.node = other, .leg = routes_.Travel(other, stop)});
    nearest(stop, count, [&](int other) { return cost(stop, other); });
    for (const auto& [key, other] : keyed)
      after_[stop].push_back({.node = other, .leg = routes_.Travel(stop, other)});
    nearest(stop, kNearest, [&](int other) {
      return int64_t{routes_.Travel(stop, other)} + routes_.Travel(other, stop);
    });
    for (const auto& [key, other] : keyed) near_[stop].push_back(other);
  }
}

void PrizeSearch::Run(int64_t rounds) {
  const double decay = std::log(options_.last_temperature / options_.first_temperature);
  for (int64_t round = 0; round < rounds; ++round) {
    const double done = static_cast<double>(round) / rounds;
    Round(mean_leg_ * options_.first_temperature * std::exp(decay * done));
  }
}

int64_t PrizeSearch::RunFor(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const double decay = std::log(options_.last_temperature / options_.first_temperature);
  for (int64_t rounds = 0;; rounds += kRoundsPerLook) {
    const double done = std::chrono::duration<double>(Clock::now() - start).count() / seconds;
    if (done >= 1) return rounds;
    const double temperature = mean_leg_ * options_.first_temperature * std::exp(decay * done);
    for (int64_t i = 0; i < kRoundsPerLook; ++i) Round(temperature);
  }
}

void PrizeSearch::Round(double temperature) {
  if (routes_.stops() == 0) return;
  const int64_t cost = Cost();
  Ruin();
  Recreate();
  const double limit = cost - temperature * std::log(1 - rng_.Uniform());
  if (Cost() < limit) {
    KeepIfBest();
  } else {
    TakeBack();
  }
  for (size_t i = 0; i < changed_count_; ++i) is_changed_[changed_[i].route] = 0;
  changed_count_ = 0;
}

void PrizeSearch::Keep(int route) {
  if (is_changed_[route]) return;
  is_changed_[route] = 1;
  if (changed_count_ == changed_.size()) changed_.emplace_back();
  Changed& changed = changed_[changed_count_++];
  changed.route = route;
  changed.stops.clear();
  if (routes_.Length(route) == 0) return;
  for (int stop = routes_.First(route); stop != routes_.depot(); stop = routes_.Next(stop))
    changed.stops.push_back(stop);
}

void PrizeSearch::TakeBack() {
  for (size_t i = 0; i < changed_count_; ++i) {
    const int route = changed_[i].route;
    if (routes_.Length(route) == 0) continue;
    for (int stop = routes_.First(route); stop != routes_.depot(); stop = routes_.Next(stop)) {
      if (!routes_.stop(stop).mandatory()) unserved_prizes_ += routes_.stop(stop).prize;
    }
    routes_.Assign(route, {});
  }
  for (size_t i = 0; i < changed_count_; ++i) {
    for (const int stop : changed_[i].stops) {
      if (!routes_.stop(stop).mandatory()) unserved_prizes_ -= routes_.stop(stop).prize;
    }
    routes_.Assign(changed_[i].route, changed_[i].stops);
  }
}

void PrizeSearch::Ruin() {
  removed_.clear();
  const auto seed = static_cast<int>(rng_.Below(routes_.stops()));
  if (routes_.used_routes() > 0) {
    const double mean_length = static_cast<double>(routes_.served()) / routes_.used_routes();
    const double longest = std::min<double>(options_.longest_string, mean_length);
    const double most_strings = 4 * options_.removed_stops / (1 + longest) - 1;
    auto strings = static_cast<int64_t>(rng_.Uniform(1, most_strings + 1));
    // A route loses one string.
    const auto visit = [&](int stop) {
      const int route = routes_.RouteOf(stop);
      if (route == PrizeRoutes::kNone || is_changed_[route]) return;
      const double length = std::min<double>(longest, routes_.Length(route));
      RemoveString(stop, static_cast<int>(rng_.Uniform(1, length + 1)));
      --strings;
    };
    visit(seed);
    for (const int stop : near_[seed]) {
      if (strings <= 0) break;
      visit(stop);
    }
  }
  AddUnserved(seed);
}

void PrizeSearch::RemoveString(int stop, int length) {
  const int route = routes_.RouteOf(stop);
  const int size = routes_.Length(route);
  int position = 0;
  for (int node = routes_.Previous(stop); node != routes_.depot(); node = routes_.Previous(node))
    ++position;
  Keep(route);
  int kept = 0;
  // A split string keeps one stop in its middle; sometimes more.
  if (length > 1 && length < size && rng_.Uniform() < options_.split_share) {
    kept = 1;
    while (length + kept < size && rng_.Uniform() < kMoreKeptShare) ++kept;
  }
  const int whole = length + kept;
  const int first_low = std::max(0, position - whole + 1);
  const int first_high = std::min(position, size - whole);
  const int first = first_low + static_cast<int>(rng_.Below(first_high - first_low + 1));
  const int kept_first = kept > 0 ? first + 1 + static_cast<int>(rng_.Below(length - 1)) : first;
  routes_.RemoveString(route, first, whole, kept_first, kept, removed_);
  for (const int gone : std::span(removed_).last(length)) {
    if (!routes_.stop(gone).mandatory()) unserved_prizes_ += routes_.stop(gone).prize;
  }
}

// Also tries stops near the place that have not been served before.
void PrizeSearch::AddUnserved(int seed) {
  if (unserved_prizes_ == 0) return;
  const size_t removed = removed_.size();
  const auto known = [&](int stop) {
    return std::find(removed_.begin(), removed_.begin() + removed, stop) !=
           removed_.begin() + removed;
  };
  const auto add = [&](int stop) {
    if (routes_.RouteOf(stop) == PrizeRoutes::kNone && !known(stop)) removed_.push_back(stop);
  };
  add(seed);
  for (const int stop : near_[seed]) {
    if (removed_.size() >= removed + kMostUnserved) break;
    add(stop);
  }
}

void PrizeSearch::SortRemoved() {
  const uint32_t order = rng_.Below(17);
  if (order < 4) {
    rng_.Shuffle(std::span<int>(removed_));
    return;
  }
  keyed_.clear();
  for (const int index : removed_) {
    const PrizeStop& stop = routes_.stop(index);
    int64_t key = 0;
    if (order < 8) {
      key = -stop.load;
    } else if (order < 10) {
      key = -routes_.Travel(routes_.depot(), index);
    } else if (order < 11) {
      key = routes_.Travel(routes_.depot(), index);
    } else if (order < 13) {
      key = stop.closes - stop.opens;
    } else if (order < 15) {
      key = stop.opens;
    } else {
      key = -stop.closes;
    }
    keyed_.emplace_back(key, index);
  }
  std::sort(keyed_.begin(), keyed_.end());
  for (size_t i = 0; i < keyed_.size(); ++i) removed_[i] = keyed_[i].second;
}

void PrizeSearch::Recreate() {
  SortRemoved();
  for (const int stop : removed_) {
    if (!TryInsert(stop) && routes_.stop(stop).mandatory())
      throw Failure(Cat("no vehicle can serve stop ", stop, " alone"));
  }
}

bool PrizeSearch::Blinks() {
  if (until_blink_-- > 0) return false;
  // Number of gaps until the next blink, drawn at once.
  until_blink_ = static_cast<int>(std::log(1 - rng_.Uniform()) / std::log1p(-options_.blink_rate));
  return true;
}

bool PrizeSearch::TryInsert(int stop) {
  PrizeRoutes::Gap best;
  const PrizeStop& what = routes_.stop(stop);
  if (!what.mandatory()) best.cost = what.prize;
  for (const PrizeRoutes::Neighbour& other : before_[stop]) {
    if (routes_.RouteOf(other.node) != PrizeRoutes::kNone && !Blinks())
      routes_.TryAfter(stop, other, best);
  }
  for (const PrizeRoutes::Neighbour& other : after_[stop]) {
    if (routes_.RouteOf(other.node) != PrizeRoutes::kNone && !Blinks())
      routes_.TryBefore(stop, other, best);
  }
  routes_.TryAlone(stop, best);
  if (best.route == PrizeRoutes::kNone) return false;
  Keep(best.route);
  routes_.Insert(stop, best);
  if (!what.mandatory()) unserved_prizes_ -= what.prize;
  return true;
}

void PrizeSearch::KeepIfBest() {
  if (Cost() >= best_cost_) return;
  best_cost_ = Cost();
  best_ = routes_.Lists();
}

PrizePlan PrizeSearch::Best() const { return CheckedPlan(*problem_, best_); }

}  // namespace dray
