#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/pictures/svg.h"

namespace dray {

// A plot: two axes with round tick marks, lines, bands and dots, and a legend.
class Chart {
 public:
  // Range of an axis; an empty one is widened.
  struct Range {
    double low, high;
  };
  Chart(std::string_view title, std::string_view x_label, std::string_view y_label, Range x,
        Range y);

  // Draws a line and adds it to the legend, like Band and Dots. Points that are not finite are
  // skipped.
  void Line(const std::vector<Point>& points, const std::string& colour, std::string_view legend);
  // Fills the area between two lines over the same x.
  void Band(const std::vector<Point>& low, const std::vector<Point>& high,
            const std::string& colour, std::string_view legend);
  // Draws dots, or rings if hollow.
  void Dots(const std::vector<Point>& points, const std::string& colour, bool hollow,
            std::string_view legend);

  std::string Document() const { return svg_.Document(); }

 private:
  Point At(const Point& point) const;
  void DrawAxes(std::string_view x_label, std::string_view y_label);
  // Returns the position of the next legend entry.
  Point NextEntry(std::string_view legend);

  Svg svg_;
  Range x_, y_;
  double legend_x_;
};

}  // namespace dray
