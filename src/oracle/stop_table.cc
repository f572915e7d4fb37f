#include "src/oracle/stop_table.h"

#include <limits>

#include "src/base/error.h"

namespace dray {

void StopTable::Load(const Problem& problem) {
  // Positions on a route are stored in 16 bits.
  DRAY_CHECK_LT(problem.stops.size(), size_t{std::numeric_limits<int16_t>::max()});
  problem_ = &problem;
  nodes_.assign(problem.stops.begin(), problem.stops.end());
  nodes_.push_back({problem.depot, problem.depot_opens, problem.depot_closes, 0, 0});
  request_of_.assign(nodes_.size(), -1);
  views_.assign(problem.requests.size(), {});
  for (size_t i = 0; i < problem.requests.size(); ++i) {
    const Request& request = problem.requests[i];
    request_of_[request.pickup] = i;
    if (request.paired()) request_of_[request.delivery] = i;
  }
  rows_.resize(problem.stops.size() * nodes_.size() * 2);
}

void StopTable::Gather(int request) {
  RequestView& view = views_[request];
  const Request& ends = problem_->requests[request];
  view.pickup = nodes_[ends.pickup];
  view.pickup_node = ends.pickup;
  view.to_pickup = GatherNode(ends.pickup);
  view.from_pickup = view.to_pickup + nodes_.size();
  if (!ends.paired()) return;
  view.delivery = nodes_[ends.delivery];
  view.delivery_node = ends.delivery;
  view.to_delivery = GatherNode(ends.delivery);
  view.from_delivery = view.to_delivery + nodes_.size();
}

const Ticks* StopTable::GatherNode(int node) {
  const size_t count = nodes_.size();
  Ticks* to = rows_.data() + node * count * 2;
  Ticks* from = to + count;
  const TravelMatrix& travel = problem_->travel;
  const int place = nodes_[node].place;
  for (size_t i = 0; i < count; ++i) {
    to[i] = travel(nodes_[i].place, place);
    from[i] = travel(place, nodes_[i].place);
  }
  return to;
}

}  // namespace dray
