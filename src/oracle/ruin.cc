#include "src/oracle/ruin.h"

#include <algorithm>

namespace dray {
namespace {

// Draws a stop around which to remove requests.
int SeedNode(SearchRound& round) {
  const Problem& problem = round.book.table().problem();
  const std::vector<int>& absent = round.tours.absent;
  if (!absent.empty() && round.rng.Below(2) == 0) {
    const Request& ends = problem.requests[absent[round.rng.Below(absent.size())]];
    return ends.paired() && round.rng.Below(2) ? ends.delivery : ends.pickup;
  }
  return round.rng.Below(problem.stops.size());
}

}  // namespace

void Ruin::Apply(SearchRound& round) {
  if (round.tours.used.empty()) return;
  if (round.rng.Uniform() < options_.cut_share) CutRoute(round, SeedNode(round));
  if (round.rng.Uniform() < style_.near_share) {
    RemoveNearest(round);
  } else {
    RemoveStrings(round);
  }
}

void Ruin::CutRoute(SearchRound& round, int node) {
  Tours& tours = round.tours;
  StopTable& table = round.book.table();
  const int request = table.request_of(node);
  const int slot = request < 0 ? -1 : tours.slot_of[request];
  if (slot < 0 || std::ssize(tours.used) >= round.book.vehicle_limit()) return;
  const std::vector<RouteNode>& nodes = tours.routes[slot].nodes();
  const int stops = tours.routes[slot].stops();
  int at = 1;
  while (nodes[at].node != node) ++at;
  while (at < stops && nodes[at].open != 0) ++at;
  if (at >= stops) return;
  head_.clear();
  tail_.clear();
  for (int i = 1; i <= at; ++i) head_.push_back(nodes[i].node);
  for (int i = at + 1; i <= stops; ++i) tail_.push_back(nodes[i].node);
  // Both are feasible, unless travel times break the triangle inequality.
  if (!head_route_.Assign(table, head_)) return;
  if (!tail_route_.Assign(table, tail_)) return;
  const int other = tours.unused.back();
  round.book.Replace(tours, slot, head_route_);
  round.book.Replace(tours, other, tail_route_);
  for (const int stop : tail_) {
    tours.slot_of[table.request_of(stop)] = other;
    round.changes.Move(table.request_of(stop));
  }
  round.changes.Touch(slot);
  round.changes.Touch(other);
}

void Ruin::RemoveNearest(SearchRound& round) {
  TourBook& book = round.book;
  int left = 1 + static_cast<int>(round.rng.Uniform(0, 2 * style_.removed_stops));
  for (const int node : round.nearest.Of(SeedNode(round), book.table())) {
    const int request = book.table().request_of(node);
    if (request < 0 || round.tours.slot_of[request] < 0 || book.marks()[node]) continue;
    book.Mark(request);
    round.changes.Touch(round.tours.slot_of[request]);
    left -= 1 + book.table().problem().requests[request].paired();
    if (left <= 0) break;
  }
  for (const int slot : round.changes.touched()) book.RemoveMarked(round.tours, slot);
}

void Ruin::RemoveStrings(SearchRound& round) {
  const StopTable& table = round.book.table();
  const int vehicles = round.tours.used.size();
  const double stops = table.problem().stops.size();
  const double longest = std::max(1.0, std::min<double>(options_.longest_string, stops / vehicles));
  const double most = std::max(1.0, 4.0 * style_.removed_stops / (1.0 + longest) - 1.0);
  int strings = round.rng.Uniform(1.0, most + 1.0);
  for (const int node : round.nearest.Of(SeedNode(round), table)) {
    const int request = table.request_of(node);
    const int slot = request < 0 ? -1 : round.tours.slot_of[request];
    if (slot < 0 || round.changes.is_ruined(slot)) continue;
    const double limit = std::min<double>(longest, round.tours.routes[slot].stops());
    RemoveString(round, slot, node, round.rng.Uniform(1.0, limit + 1.0));
    if (--strings == 0) break;
  }
}

void Ruin::RemoveString(SearchRound& round, int slot, int node, int length) {
  TourBook& book = round.book;
  const std::vector<RouteNode>& nodes = round.tours.routes[slot].nodes();
  const int stops = round.tours.routes[slot].stops();
  int at = 1;
  while (nodes[at].node != node) ++at;
  // A split string spans one stop more, and keeps one of them.
  const bool split = length > 1 && length < stops && round.rng.Uniform() < options_.split_share;
  const int span = length + split;
  const int lowest = std::max(1, at - span + 1);
  const int highest = std::min(at, stops - span + 1);
  const int begin = lowest + round.rng.Below(highest - lowest + 1);
  const int kept = split ? begin + round.rng.Below(span) : 0;
  for (int i = begin; i < begin + span; ++i)
    if (i != kept) book.Mark(book.table().request_of(nodes[i].node));
  round.changes.TouchRuined(slot);
  book.RemoveMarked(round.tours, slot);
}

}  // namespace dray
