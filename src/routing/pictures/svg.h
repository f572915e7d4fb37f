#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/problem.h"

namespace dray {

// Text as XML holds it: <, >, & and quotes escaped; what XML cannot hold (control characters, bytes
// that are no UTF-8) becomes a question mark.
std::string XmlText(std::string_view text);

// How a shape is drawn. Attributes, not style sheets: every program that opens SVG knows them.
struct Ink {
  std::string fill = "none";
  std::string stroke = "none";
  double width = 1;
  std::string dashes = "";  // lengths of line and gap: "6 3"; empty: one line
  double opacity = 1;
  std::string kind = "";   // of thing in the picture, for those who restyle it: its class
  std::string hover = "";  // what a browser shows when the pointer rests on it
};

struct Lettering {
  double size = 12;
  std::string anchor = "start";  // or middle, end: what of the text is at the point
  std::string fill = "#222222";
  bool bold = false;
  bool halo = false;  // white around the letters, for text on lines
  std::string kind = "";
};

// One drawing, its coordinates in pixels from the upper left corner. Whole by itself: no fonts,
// scripts or files from elsewhere.
class Svg {
 public:
  // On an almost white background.
  Svg(double width, double height, std::string_view title);

  void Rectangle(double x, double y, double width, double height, const Ink& ink);
  void Circle(const Point& centre, double radius, const Ink& ink);
  void Line(const Point& from, const Point& to, const Ink& ink);
  // A curve that leaves for `control` and arrives from there.
  void Curve(const Point& from, const Point& control, const Point& to, const Ink& ink);
  void Polygon(const std::vector<Point>& corners, const Ink& ink);
  // y is the line that letters stand on.
  void Text(double x, double y, std::string_view text, const Lettering& lettering);

  // The whole document.
  std::string Document() const { return text_ + "</svg>\n"; }

 private:
  void Shape(std::string_view geometry, const Ink& ink);

  std::string text_;
};

}  // namespace dray
