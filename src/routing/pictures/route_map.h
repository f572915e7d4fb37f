#pragma once

#include <vector>

#include "src/routing/pictures/label_places.h"
#include "src/routing/problem.h"

namespace dray {

// Positions of the depot and the stops in a picture: equal scale in both directions, north up,
// symbols that would overlap moved apart.
class RouteMap {
 public:
  RouteMap(const Problem& problem, const LabelPlaces::Box& frame);

  const Point& depot() const { return positions_.back(); }
  const Point& stop(int stop) const { return positions_[stop]; }
  // Pixels per unit of the problem's coordinates or, without coordinates, of travel time.
  double pixels_per_unit() const { return pixels_per_unit_; }
  // True if places were laid out by their travel times.
  bool laid_out() const { return laid_out_; }
  // True if a symbol is visibly displaced.
  bool moved_apart() const { return moved_apart_; }

 private:
  // Scales the positions so that the points `shown` fill the frame.
  void FitInto(const LabelPlaces::Box& frame, std::vector<Point> shown);
  void MoveApart(const LabelPlaces::Box& frame);

  bool laid_out_ = false;
  bool moved_apart_ = false;
  double pixels_per_unit_ = 1;
  std::vector<Point> positions_;  // indexed by stop; the depot is last
};

}  // namespace dray
