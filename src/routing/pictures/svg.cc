#include "src/routing/pictures/svg.h"

#include <cmath>

#include "src/base/error.h"
#include "src/routing/text_file.h"

namespace dray {
namespace {

// Formats to a tenth of a pixel; never -0, never with an exponent.
std::string Pixels(double value) { return FormatTicks(std::lround(value * 10), 10); }

std::string Attribute(std::string_view name, std::string_view value) {
  return Cat(" ", name, "=\"", XmlText(value), "\"");
}

std::string Attribute(std::string_view name, double pixels) {
  return Attribute(name, Pixels(pixels));
}

std::string At(const Point& point) { return Cat(Pixels(point.x), " ", Pixels(point.y)); }

}  // namespace

std::string XmlText(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const char c = text[0];
    if (length == 0 || (length == 1 && (c < ' ' || c == '\x7F'))) {
      out += '?';
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

Svg::Svg(double width, double height, std::string_view title)
    : text_(Cat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"", Attribute("width", width),
                Attribute("height", height),
                Attribute("viewBox", Cat("0 0 ", Pixels(width), " ", Pixels(height))),
                " font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" role=\"img\">",
                "\n<title>", XmlText(title), "</title>\n")) {
  Rectangle(0, 0, width, height, {.fill = "#fdfdfb", .kind = "background"});
}

void Svg::Shape(std::string_view geometry, const Ink& ink) {
  text_ += Cat("<", geometry, Attribute("fill", ink.fill));
  if (ink.stroke != "none")
    text_ += Attribute("stroke", ink.stroke) + Attribute("stroke-width", ink.width);
  if (!ink.dashes.empty()) text_ += Attribute("stroke-dasharray", ink.dashes);
  if (ink.opacity < 1) text_ += Cat(" opacity=\"", ink.opacity, "\"");
  if (!ink.kind.empty()) text_ += Attribute("class", ink.kind);
  if (ink.hover.empty()) {
    text_ += "/>\n";
  } else {
    const std::string_view element = geometry.substr(0, geometry.find(' '));
    text_ += Cat("><title>", XmlText(ink.hover), "</title></", element, ">\n");
  }
}

void Svg::Rectangle(double x, double y, double width, double height, const Ink& ink) {
  Shape(Cat("rect", Attribute("x", x), Attribute("y", y), Attribute("width", width),
            Attribute("height", height)),
        ink);
}

void Svg::Circle(const Point& centre, double radius, const Ink& ink) {
  Shape(Cat("circle", Attribute("cx", centre.x), Attribute("cy", centre.y), Attribute("r", radius)),
        ink);
}

void Svg::Line(const Point& from, const Point& to, const Ink& ink) {
  Shape(Cat("line", Attribute("x1", from.x), Attribute("y1", from.y), Attribute("x2", to.x),
            Attribute("y2", to.y)),
        ink);
}

void Svg::Curve(const Point& from, const Point& control, const Point& to, const Ink& ink) {
  Shape(Cat("path", Attribute("d", Cat("M ", At(from), " Q ", At(control), " ", At(to)))), ink);
}

void Svg::Polygon(const std::vector<Point>& corners, const Ink& ink) {
  std::string points;
  for (const Point& corner : corners) points += Cat(points.empty() ? "" : " ", At(corner));
  Shape(Cat("polygon", Attribute("points", points)), ink);
}

void Svg::Text(double x, double y, std::string_view text, const Lettering& lettering) {
  const std::string where = Cat(
      "<text", Attribute("x", x), Attribute("y", y), Attribute("font-size", lettering.size),
      Attribute("text-anchor", lettering.anchor), lettering.bold ? " font-weight=\"bold\"" : "");
  const std::string letters = Cat(">", XmlText(text), "</text>\n");
  // Written twice, because not every program can paint the stroke below the fill.
  if (lettering.halo) {
    text_ += Cat(where, " fill=\"white\" stroke=\"white\" stroke-width=\"3\" ",
                 "stroke-linejoin=\"round\" opacity=\"0.85\" aria-hidden=\"true\"", letters);
  }
  text_ += Cat(where, Attribute("fill", lettering.fill),
               lettering.kind.empty() ? "" : Attribute("class", lettering.kind), letters);
}

}  // namespace dray
