#pragma once

#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Places labels next to symbols: of a few positions around each symbol, chooses the one that covers
// the least of other symbols, labels and lines. Everything stays within the frame.
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

  // Chooses the position of a label of the given size. Later labels avoid it.
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
