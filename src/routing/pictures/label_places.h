#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Finds room for labels beside symbols: of a few places around each symbol, the one that covers
// least of other symbols, labels and lines. Everything stays within the frame.
class LabelPlaces {
 public:
  struct Box {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
  };

  explicit LabelPlaces(const Box& frame) : frame_(frame) {}

  void AddSymbol(const Point& centre, double radius);
  void AddLine(const Point& from, const Point& to) { lines_.push_back({from, to}); }

  // Where a label of that size goes; it is in the way of the labels after it.
  Box Place(const Point& centre, double radius, double width, double height);

 private:
  struct Segment {
    Point from;
    Point to;
  };

  double Covered(const Box& box) const;

  Box frame_;
  std::vector<Box> symbols_;
  std::vector<Box> labels_;
  std::vector<Segment> lines_;
};

}  // namespace dray
