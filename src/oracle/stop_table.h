#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A request as the searches see it: windows and loads of its stops, and travel times between them
// and every node. To price another window, change the copies in here.
struct RequestView {
  Stop pickup;
  Stop delivery;  // when paired
  int pickup_node = 0;
  int delivery_node = -1;
  // Travel times, indexed by node; the last two only when paired.
  const Ticks* to_pickup = nullptr;
  const Ticks* from_pickup = nullptr;
  const Ticks* to_delivery = nullptr;
  const Ticks* from_delivery = nullptr;

  bool paired() const { return delivery_node >= 0; }
};

// A problem laid out for searching. Nodes are the problem's stops and, last, the depot. Travel
// times of a request are gathered when it is first viewed, so short searches do not pay for all of
// them.
class StopTable {
 public:
  // Replaces the current problem. `problem` must outlive its use here.
  void Load(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  int requests() const { return views_.size(); }
  int depot() const { return std::ssize(nodes_) - 1; }
  int capacity() const { return problem_->fleet.capacity; }
  const Stop& node(int node) const { return nodes_[node]; }
  int request_of(int node) const { return request_of_[node]; }
  Ticks Travel(int from, int to) const {
    return problem_->travel(nodes_[from].place, nodes_[to].place);
  }
  const RequestView& View(int request) {
    if (views_[request].to_pickup == nullptr) Gather(request);
    return views_[request];
  }

 private:
  void Gather(int request);
  // Fills the two rows of a node; returns the first, the second follows it.
  const Ticks* GatherNode(int node);

  const Problem* problem_ = nullptr;
  std::vector<Stop> nodes_;
  std::vector<int> request_of_;  // indexed by node; -1: the depot, or a stop of no request
  std::vector<RequestView> views_;
  std::vector<Ticks> rows_;  // two per stop: times to it, times from it
};

}  // namespace dray
