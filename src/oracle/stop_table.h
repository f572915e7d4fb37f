#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// A request as a search looks at it: its stops' windows and loads, and the travel times between
// them and every node. Pricing another window means changing the copies in here, nothing else.
struct RequestView {
  Stop pickup;
  Stop delivery;  // when paired
  int pickup_node = 0;
  int delivery_node = -1;
  const Ticks* to_pickup = nullptr;      // by node
  const Ticks* from_pickup = nullptr;    // by node
  const Ticks* to_delivery = nullptr;    // by node, when paired
  const Ticks* from_delivery = nullptr;  // by node, when paired

  bool paired() const { return delivery_node >= 0; }
};

// A problem laid out for searching. Nodes are the problem's stops and, last, the depot. Rows of
// travel times are gathered for a request when it is first looked at, so that a search of a few
// rounds does not pay for all of them.
class StopTable {
 public:
  // Forgets the problem before. The problem must outlive its use here.
  void Load(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  int requests() const { return static_cast<int>(views_.size()); }
  int depot() const { return static_cast<int>(nodes_.size()) - 1; }
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
  std::vector<int> request_of_;  // by node; -1: the depot, or a stop of no request
  std::vector<RequestView> views_;
  std::vector<Ticks> rows_;  // two by stop: times to it, times from it
};

}  // namespace dray
