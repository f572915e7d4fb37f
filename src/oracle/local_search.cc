#include "src/oracle/local_search.h"

#include <algorithm>

namespace dray {

void LocalSearch::Run(TourBook& book, Tours& tours) {
  without_.resize(std::max<size_t>(without_.size(), book.requests()));
  for (Without& without : without_) without.version = 0;
  bool improved = true;
  while (improved) {
    while (Relocate(book, tours) || ExchangeTails(book, tours)) {
    }
    improved = book.requests() <= most_for_swap_ && Swap(book, tours);
  }
}

const LocalSearch::Without& LocalSearch::RouteWithout(TourBook& book, const Tours& tours,
                                                      int request) {
  const Route& route = tours.routes[tours.slot_of[request]];
  Without& without = without_[request];
  if (without.version == route.version) return without;
  without.route = route;
  without.version = route.version;
  book.Mark(request);
  without.feasible = without.route.Erase(book.table(), book.marks());
  book.Unmark(request);
  without.gain = route.travel() - (without.route.empty() ? 0 : without.route.travel());
  return without;
}

bool LocalSearch::Relocate(TourBook& book, Tours& tours) {
  bool improved = false;
  for (int request = 0; request < book.requests(); ++request)
    if (tours.slot_of[request] >= 0) improved |= RelocateOne(book, tours, request);
  return improved;
}

bool LocalSearch::RelocateOne(TourBook& book, Tours& tours, int request) {
  const int home = tours.slot_of[request];
  const Without& without = RouteWithout(book, tours, request);
  if (!without.feasible) return false;
  StopTable& table = book.table();
  Seat best;
  best.cost = without.gain;
  const int vehicles = tours.used.size();
  if (without.route.empty())
    best.cost += book.VehicleCost(vehicles) - book.VehicleCost(vehicles - 1);
  bool found = false;
  for (const int slot : tours.used) {
    const bool here = slot == home;
    if (here && without.route.empty()) continue;
    const Insertion where = here ? without.route.Cheapest(table.View(request), table.capacity())
                                 : book.CheapestOn(tours, request, slot);
    if (!where.possible() || where.cost >= best.cost) continue;
    best = {where.cost, slot, where};
    found = true;
  }
  const Seat alone = book.Alone(tours, request);
  if (!without.route.empty() && alone.cost < best.cost) {
    best = alone;
    found = true;
  }
  if (!found) return false;
  book.Replace(tours, home, without.route);
  book.Insert(tours, request, best);
  return true;
}

bool LocalSearch::ExchangeTails(TourBook& book, Tours& tours) {
  bool improved = false;
  for (size_t i = 0; i < tours.used.size(); ++i) {
    for (size_t j = i + 1; j < tours.used.size();) {
      // A route may vanish with the exchange: the next one is then at j.
      const size_t before = tours.used.size();
      if (ExchangeTailsOf(book, tours, tours.used[i], tours.used[j])) improved = true;
      if (tours.used.size() < before) return true;
      ++j;
    }
  }
  return improved;
}

bool LocalSearch::ExchangeTailsOf(TourBook& book, Tours& tours, int first, int second) {
  const StopTable& table = book.table();
  const std::vector<RouteNode>& a = tours.routes[first].nodes();
  const std::vector<RouteNode>& b = tours.routes[second].nodes();
  const int vehicles = tours.used.size();
  const int64_t vehicle_gain = book.VehicleCost(vehicles) - book.VehicleCost(vehicles - 1);
  int64_t best = 0;
  int best_i = -1;
  int best_j = -1;
  const int last_a = std::ssize(a) - 1;
  const int last_b = std::ssize(b) - 1;
  for (int i = 0; i < last_a; ++i) {
    if (a[i].open != 0) continue;
    for (int j = 0; j < last_b; ++j) {
      if (b[j].open != 0 || (i == 0 && j == 0)) continue;
      if (a[i].leave > b[j + 1].latest) continue;
      const Ticks a_to_b = table.Travel(a[i].node, b[j + 1].node);
      const Ticks b_to_a = table.Travel(b[j].node, a[i + 1].node);
      int64_t cost = int64_t{a_to_b} + b_to_a - b[j + 1].leg - a[i + 1].leg;
      const bool merged = (i == 0 && j == last_b - 1) || (j == 0 && i == last_a - 1);
      if (merged) cost -= vehicle_gain;
      if (cost >= best) continue;
      if (a[i].leave + a_to_b > b[j + 1].latest || b[j].leave + b_to_a > a[i + 1].latest) continue;
      if (a[i].load + b[j + 1].peak - b[j].load > table.capacity()) continue;
      if (b[j].load + a[i + 1].peak - a[i].load > table.capacity()) continue;
      best = cost;
      best_i = i;
      best_j = j;
    }
  }
  if (best_i < 0) return false;
  first_stops_.clear();
  second_stops_.clear();
  for (int i = 1; i <= best_i; ++i) first_stops_.push_back(a[i].node);
  for (int j = best_j + 1; j < last_b; ++j) first_stops_.push_back(b[j].node);
  for (int j = 1; j <= best_j; ++j) second_stops_.push_back(b[j].node);
  for (int i = best_i + 1; i < last_a; ++i) second_stops_.push_back(a[i].node);
  Assign(book, tours, first, first_stops_);
  Assign(book, tours, second, second_stops_);
  return true;
}

void LocalSearch::Assign(TourBook& book, Tours& tours, int slot, const std::vector<int>& stops) {
  scratch_.Assign(book.table(), stops);
  book.Replace(tours, slot, scratch_);
  for (const int stop : stops) tours.slot_of[book.table().request_of(stop)] = slot;
}

bool LocalSearch::Swap(TourBook& book, Tours& tours) {
  bool improved = false;
  for (int first = 0; first < book.requests(); ++first) {
    if (tours.slot_of[first] < 0) continue;
    for (int second = first + 1; second < book.requests(); ++second) {
      if (tours.slot_of[second] < 0 || tours.slot_of[first] == tours.slot_of[second]) continue;
      improved |= SwapTwo(book, tours, first, second);
    }
  }
  return improved;
}

bool LocalSearch::SwapTwo(TourBook& book, Tours& tours, int first, int second) {
  StopTable& table = book.table();
  const int first_slot = tours.slot_of[first];
  const int second_slot = tours.slot_of[second];
  // Two references into one table, filled before either is read.
  RouteWithout(book, tours, first);
  RouteWithout(book, tours, second);
  const Without& first_left = without_[first];
  const Without& second_left = without_[second];
  if (!first_left.feasible || !second_left.feasible) return false;
  const int64_t gain = first_left.gain + second_left.gain;
  if (gain <= 0) return false;
  const Insertion to_second = second_left.route.Cheapest(table.View(first), table.capacity());
  if (!to_second.possible() || to_second.cost >= gain) return false;
  const Insertion to_first = first_left.route.Cheapest(table.View(second), table.capacity());
  if (!to_first.possible() || int64_t{to_first.cost} + to_second.cost >= gain) return false;
  scratch_ = first_left.route;
  scratch_.Insert(table, table.View(second), to_first);
  book.Replace(tours, first_slot, scratch_);
  scratch_ = second_left.route;
  scratch_.Insert(table, table.View(first), to_second);
  book.Replace(tours, second_slot, scratch_);
  tours.slot_of[first] = second_slot;
  tours.slot_of[second] = first_slot;
  return true;
}

}  // namespace dray
