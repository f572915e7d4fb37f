#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Escapes text for XML: <, >, & and quotes. Control characters and bytes that are not UTF-8 become
// question marks.
std::string XmlText(std::string_view text);

inline constexpr char kTextColour[] = "#222222";
inline constexpr char kQuietColour[] = "#666666";

// How a shape is drawn. Uses attributes instead of style sheets, because every program that opens
// SVG knows them.
struct Ink {
  std::string fill = "none";
  std::string stroke = "none";
  double width = 1;
  std::string dashes = "";  // lengths of dash and gap, "6 3"; empty: solid
  double opacity = 1;
  std::string kind = "";   // class attribute, for restyling
  std::string hover = "";  // tooltip
};

struct Lettering {
  double size = 12;
  std::string anchor = "start";  // start, middle or end: the part of the text at the point
  std::string fill = kTextColour;
  bool bold = false;
  bool halo = false;  // white outline, for text on lines
  std::string kind = "";
};

// A drawing with coordinates in pixels from the upper left corner. Self-contained: no fonts,
// scripts or other files.
class Svg {
 public:
  // Starts a drawing with an off-white background.
  Svg(double width, double height, std::string_view title);

  void Rectangle(double x, double y, double width, double height, const Ink& ink);
  void Circle(const Point& centre, double radius, const Ink& ink);
  void Line(const Point& from, const Point& to, const Ink& ink);
  // Draws a quadratic curve with one control point.
  void Curve(const Point& from, const Point& control, const Point& to, const Ink& ink);
  void Polygon(const std::vector<Point>& corners, const Ink& ink);
  // Writes text; y is its baseline.
  void Text(double x, double y, std::string_view text, const Lettering& lettering);

  // Returns the whole document.
  std::string Document() const { return text_ + "</svg>\n"; }

 private:
  void Shape(std::string_view geometry, const Ink& ink);

  std::string text_;
};

}  // namespace dray
