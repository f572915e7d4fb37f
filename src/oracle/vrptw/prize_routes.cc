#include "src/oracle/vrptw/prize_routes.h"

#include <algorithm>
#include <iterator>

namespace dray {

PrizeRoutes::PrizeRoutes(const PrizeProblem& problem)
    : problem_(&problem), depot_(static_cast<int>(problem.stops.size())) {
  const int nodes = depot_ + 1;
  const auto place = [&](int node) {
    return node == depot_ ? problem.depot : problem.stops[node].place;
  };
  travel_.reserve(int64_t{nodes} * nodes);
  for (int from = 0; from < nodes; ++from) {
    for (int to = 0; to < nodes; ++to) travel_.push_back(problem.travel(place(from), place(to)));
  }
  windows_.reserve(nodes);
  for (const PrizeStop& stop : problem.stops) {
    windows_.push_back({.opens = stop.opens,
                        .closes = stop.closes,
                        .service = stop.service,
                        .release = stop.release,
                        .leaves_by = stop.leaves_by,
                        .load = stop.load});
  }
  windows_.push_back({.opens = problem.depot_opens,
                      .closes = problem.depot_closes,
                      .service = 0,
                      .release = problem.depot_opens,
                      .leaves_by = kMaxTicks,
                      .load = 0});
  nodes_.resize(nodes);
  nodes_[depot_] = {
      .earliest = kNever, .offset = 0, .leaves_by = kMaxTicks, .latest = problem.depot_closes};
  // A route for every stop.
  routes_.resize(depot_);
  for (int route = depot_ - 1; route >= 0; --route) {
    routes_[route].leaves = problem.depot_opens;
    empty_routes_.push_back(route);
  }
}

std::vector<std::vector<int>> PrizeRoutes::Lists() const {
  std::vector<std::vector<int>> lists;
  for (const Route& route : routes_) {
    if (route.length == 0) continue;
    std::vector<int>& list = lists.emplace_back();
    for (int node = route.first; node != depot_; node = nodes_[node].next) list.push_back(node);
  }
  return lists;
}

void PrizeRoutes::Try(int node, int route, int after, Ticks to, Ticks from, int64_t cost,
                      Gap& best) const {
  const Route& into = routes_[route];
  const Node& before = nodes_[after];
  const Window& window = windows_[node];
  if (into.load + window.load > problem_->capacity) return;
  const Ticks leaves = std::max(into.leaves, window.release);
  if (leaves > std::min(into.leaves_by, window.leaves_by) || leaves > before.leaves_by) return;
  const Ticks begins = std::max(before.earliest, leaves + before.offset);
  const Ticks arrives = std::max(begins + windows_[after].service + to, window.opens);
  if (arrives > window.closes) return;
  const int next = after == depot_ ? into.first : before.next;
  if (arrives + window.service + from > nodes_[next].latest) return;
  best = {.route = route, .after = after, .cost = cost};
}

void PrizeRoutes::TryAlone(int node, Gap& best) const {
  const Ticks to = Travel(depot_, node);
  const Ticks from = Travel(node, depot_);
  const int64_t cost = int64_t{to} + from;
  if (cost >= best.cost) return;
  const Window& window = windows_[node];
  const Ticks leaves = std::max(windows_[depot_].release, window.release);
  const Ticks arrives = std::max(leaves + to, window.opens);
  if (window.load > problem_->capacity || leaves > window.leaves_by || arrives > window.closes ||
      arrives + window.service + from > problem_->depot_closes)
    return;
  best = {.route = empty_routes_.back(), .after = depot_, .cost = cost};
}

void PrizeRoutes::ReadList(int route) {
  list_.clear();
  if (routes_[route].length == 0) return;
  for (int node = routes_[route].first; node != depot_; node = nodes_[node].next)
    list_.push_back(node);
}

void PrizeRoutes::Insert(int node, const Gap& gap) {
  Route& into = routes_[gap.route];
  ++served_;
  if (into.length == 0) {
    list_.assign(1, node);
    Link(gap.route);
    return;
  }
  const int next = gap.after == depot_ ? into.first : nodes_[gap.after].next;
  if (gap.after == depot_) into.first = node;
  nodes_[node].route = gap.route;
  Connect(gap.after, node);
  Connect(node, next);
  const Window& window = windows_[node];
  ++into.length;
  into.load += window.load;
  into.leaves = std::max(into.leaves, window.release);
  into.leaves_by = std::min(into.leaves_by, window.leaves_by);
  into.travel += gap.cost;
  travel_sum_ += gap.cost;
  PassForward(node);
  PassBackward(node);
}

void PrizeRoutes::Connect(int previous, int node) {
  const Ticks leg = Travel(previous, node);
  if (previous != depot_) {
    nodes_[previous].next = node;
    nodes_[previous].leg = leg;
  }
  if (node != depot_) {
    nodes_[node].previous = previous;
    nodes_[node].leg_before = leg;
  }
}

void PrizeRoutes::PassForward(int node) {
  int previous = nodes_[node].previous;
  for (; node != depot_; previous = node, node = nodes_[node].next) {
    const Node& before = nodes_[previous];
    Node& at = nodes_[node];
    const Window& window = windows_[node];
    const Ticks passed = windows_[previous].service + at.leg_before;
    at.earliest = std::max(before.earliest + passed, window.opens);
    at.offset = before.offset + passed;
    at.leaves_by = std::min(before.leaves_by, window.closes - at.offset);
  }
}

void PrizeRoutes::PassBackward(int node) {
  for (; node != depot_; node = nodes_[node].previous) {
    Node& at = nodes_[node];
    const Window& window = windows_[node];
    at.latest = std::min(window.closes, nodes_[at.next].latest - at.leg - window.service);
  }
}

void PrizeRoutes::Assign(int route, std::span<const int> stops) {
  ReadList(route);
  for (const int node : list_) nodes_[node].route = kNone;
  served_ += static_cast<int>(std::ssize(stops) - std::ssize(list_));
  list_.assign(stops.begin(), stops.end());
  Link(route);
}

void PrizeRoutes::RemoveString(int route, int position, int count, int kept, int kept_count,
                               std::vector<int>& removed) {
  ReadList(route);
  int size = 0;
  for (int i = 0; i < std::ssize(list_); ++i) {
    const bool stays =
        i < position || i >= position + count || (i >= kept && i < kept + kept_count);
    if (stays) {
      list_[size++] = list_[i];
    } else {
      nodes_[list_[i]].route = kNone;
      removed.push_back(list_[i]);
      --served_;
    }
  }
  list_.resize(size);
  Link(route);
}

void PrizeRoutes::Link(int route) {
  Route& into = routes_[route];
  const bool was_empty = into.length == 0;
  travel_sum_ -= into.travel;
  into = {.length = static_cast<int>(list_.size()), .leaves = windows_[depot_].release};
  if (list_.empty()) {
    if (!was_empty) {
      --used_routes_;
      empty_routes_.push_back(route);
    }
    return;
  }
  if (was_empty) {
    ++used_routes_;
    // Nearly always the last one.
    empty_routes_.erase(
        std::prev(std::find(empty_routes_.rbegin(), empty_routes_.rend(), route).base()));
  }
  into.first = list_.front();
  int previous = depot_;
  for (const int node : list_) {
    const Window& window = windows_[node];
    nodes_[node].route = route;
    Connect(previous, node);
    into.travel += nodes_[node].leg_before;
    into.load += window.load;
    into.leaves = std::max(into.leaves, window.release);
    into.leaves_by = std::min(into.leaves_by, window.leaves_by);
    previous = node;
  }
  Connect(previous, depot_);
  into.travel += nodes_[previous].leg;
  travel_sum_ += into.travel;
  PassForward(into.first);
  PassBackward(previous);
}

}  // namespace dray
