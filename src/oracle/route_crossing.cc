#include "src/oracle/route_crossing.h"

#include <algorithm>

namespace dray {

void RouteCrossing::Cross(TourBook& book, const Tours& first, const Tours& second,
                          std::span<const int> near, int routes, Tours& child) {
  child = first;
  Choose(book, second, near, routes);
  MakeRoom(book, first, child);
  Take(book, second, child);
  book.InsertAbsent(child);
}

void RouteCrossing::Choose(TourBook& book, const Tours& second, std::span<const int> near,
                           int routes) {
  chosen_.clear();
  for (const int node : near) {
    if (std::ssize(chosen_) >= routes) break;
    const int request = book.table().request_of(node);
    const int slot = request < 0 ? -1 : second.slot_of[request];
    if (slot >= 0 && std::find(chosen_.begin(), chosen_.end(), slot) == chosen_.end())
      chosen_.push_back(slot);
  }
  is_taken_.assign(book.requests(), 0);
  for (int request = 0; request < book.requests(); ++request) {
    const int slot = second.slot_of[request];
    is_taken_[request] = std::find(chosen_.begin(), chosen_.end(), slot) != chosen_.end();
  }
}

void RouteCrossing::MakeRoom(TourBook& book, const Tours& first, Tours& child) {
  common_.assign(book.requests(), 0);
  for (int request = 0; request < book.requests(); ++request)
    if (is_taken_[request] && first.slot_of[request] >= 0) ++common_[first.slot_of[request]];
  own_ = first.used;
  std::stable_sort(own_.begin(), own_.end(), [&](int a, int b) { return common_[a] > common_[b]; });
  const int taken = chosen_.size();
  const int excess = std::ssize(own_) + taken - book.vehicle_limit();
  const int dropped = std::max(taken, excess);
  for (int i = 0; i < std::ssize(own_); ++i) {
    if (i >= dropped && common_[own_[i]] == 0) continue;
    for (int request = 0; request < book.requests(); ++request)
      if (first.slot_of[request] == own_[i] && (i < dropped || is_taken_[request]))
        book.Mark(request);
    book.RemoveMarked(child, own_[i]);
  }
}

void RouteCrossing::Take(TourBook& book, const Tours& second, Tours& child) {
  std::erase_if(child.absent, [&](int request) { return is_taken_[request]; });
  for (const int slot : chosen_) {
    const int to = child.unused.back();
    book.Replace(child, to, second.routes[slot]);
    for (const RouteNode& visit : second.routes[slot].nodes()) {
      const int request = book.table().request_of(visit.node);
      if (request >= 0) child.slot_of[request] = to;
    }
  }
}

}  // namespace dray
