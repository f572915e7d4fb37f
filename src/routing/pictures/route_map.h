#pragma once

#include <vector>

#include "src/routing/pictures/label_places.h"
#include "src/routing/problem.h"

namespace dray {

// Where the depot and the stops of a problem are in a picture: the same scale in both directions,
// north up, symbols that would cover each other moved apart.
class RouteMap {
 public:
  RouteMap(const Problem& problem, const LabelPlaces::Box& frame);

  const Point& depot() const { return positions_.back(); }
  const Point& stop(int stop) const { return positions_[stop]; }
  // Pixels for a unit of the problem's points or, when it has none, of travel time.
  double pixels_per_unit() const { return pixels_per_unit_; }
  // Whether places had to be laid out by their travel times.
  bool laid_out() const { return laid_out_; }
  // Whether a symbol is clearly not at its place.
  bool moved_apart() const { return moved_apart_; }

 private:
  void FitInto(const LabelPlaces::Box& frame);
  void MoveApart(const LabelPlaces::Box& frame);

  bool laid_out_ = false;
  bool moved_apart_ = false;
  double pixels_per_unit_ = 1;
  std::vector<Point> positions_;  // by stop, then the depot's
};

}  // namespace dray
