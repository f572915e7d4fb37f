#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/pictures/svg.h"

namespace dray {

// A plot of numbers: two axes with round marks, lines, bands and dots over them, and a legend.
class Chart {
 public:
  // From where to where an axis goes; one without extent is widened.
  struct Range {
    double low, high;
  };
  Chart(std::string_view title, std::string_view x_label, std::string_view y_label, Range x,
        Range y);

  // Each with its entry in the legend. Points that are not finite are left out.
  void Line(const std::vector<Point>& points, const std::string& colour, std::string_view legend);
  // Between two lines over the same x.
  void Band(const std::vector<Point>& low, const std::vector<Point>& high,
            const std::string& colour, std::string_view legend);
  // Hollow ones are rings.
  void Dots(const std::vector<Point>& points, const std::string& colour, bool hollow,
            std::string_view legend);

  std::string Document() const { return svg_.Document(); }

 private:
  Point At(const Point& point) const;
  void DrawAxes(std::string_view x_label, std::string_view y_label);
  // Where the next entry of the legend stands.
  Point NextEntry(std::string_view legend);

  Svg svg_;
  Range x_, y_;
  double legend_x_;
};

}  // namespace dray
