#include "src/search/chart.h"

#include <cmath>

#include "src/output/format.h"

namespace dray {
namespace {

// All sizes are in pixels.
constexpr double kWidth = 720, kHeight = 420;
constexpr double kLeft = 64, kRight = kWidth - 16, kTop = 92, kBottom = kHeight - 48;
constexpr double kLegendY = 46, kLegendBegin = kLeft, kPerLetter = 6.2, kEntryGap = 34;

constexpr char kAxis[] = "#555555", kGrid[] = "#dddddd";

Chart::Range Widened(Chart::Range range) {
  const double least = 1e-9 * std::max(1.0, std::abs(range.low));
  if (range.high - range.low > least) return range;
  return {range.low - 0.5, range.low + 0.5};
}

// Returns 1, 2 or 5 times a power of ten, for four to ten tick marks.
double StepOf(Chart::Range range) {
  const double rough = (range.high - range.low) / 8;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::vector<double> Marks(Chart::Range range) {
  std::vector<double> marks;
  const double step = StepOf(range);
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * step; ++i) {
    marks.push_back(i * step);
  }
  return marks;
}

std::string MarkText(double mark, Chart::Range range) {
  const double step = StepOf(range);
  return FormatFixed(mark, step >= 1 ? 0 : std::ceil(-std::log10(step) - 1e-9));
}

bool Finite(const Point& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

}  // namespace

Chart::Chart(std::string_view title, std::string_view x_label, std::string_view y_label, Range x,
             Range y)
    : svg_(kWidth, kHeight, title), x_(Widened(x)), y_(Widened(y)), legend_x_(kLegendBegin) {
  svg_.Text(kLeft, 24, title, {.size = 15, .bold = true});
  DrawAxes(x_label, y_label);
}

Point Chart::At(const Point& point) const {
  return {kLeft + (point.x - x_.low) / (x_.high - x_.low) * (kRight - kLeft),
          kBottom - (point.y - y_.low) / (y_.high - y_.low) * (kBottom - kTop)};
}

void Chart::DrawAxes(std::string_view x_label, std::string_view y_label) {
  for (const double mark : Marks(y_)) {
    const double y = At({x_.low, mark}).y;
    svg_.Line({kLeft, y}, {kRight, y}, {.stroke = kGrid});
    svg_.Text(kLeft - 6, y + 4, MarkText(mark, y_), {.size = 11, .anchor = "end"});
  }
  for (const double mark : Marks(x_)) {
    const double x = At({mark, y_.low}).x;
    svg_.Line({x, kBottom}, {x, kBottom + 4}, {.stroke = kAxis});
    svg_.Text(x, kBottom + 17, MarkText(mark, x_), {.size = 11, .anchor = "middle"});
  }
  svg_.Line({kLeft, kTop}, {kLeft, kBottom}, {.stroke = kAxis});
  svg_.Line({kLeft, kBottom}, {kRight, kBottom}, {.stroke = kAxis});
  svg_.Text((kLeft + kRight) / 2, kHeight - 10, x_label, {.size = 12, .anchor = "middle"});
  svg_.Text(8, kTop - 12, y_label, {.size = 12});
}

Point Chart::NextEntry(std::string_view legend) {
  const Point place = {legend_x_, kLegendY};
  svg_.Text(place.x + 22, place.y + 4, legend, {.size = 11});
  legend_x_ += kEntryGap + kPerLetter * legend.size();
  return place;
}

void Chart::Line(const std::vector<Point>& points, const std::string& colour,
                 std::string_view legend) {
  const Ink ink = {.stroke = colour, .width = 2};
  const Point entry = NextEntry(legend);
  svg_.Line(entry, {entry.x + 18, entry.y}, ink);
  for (size_t i = 1; i < points.size(); ++i) {
    if (Finite(points[i - 1]) && Finite(points[i])) {
      svg_.Line(At(points[i - 1]), At(points[i]), ink);
    }
  }
}

void Chart::Band(const std::vector<Point>& low, const std::vector<Point>& high,
                 const std::string& colour, std::string_view legend) {
  const Ink ink = {.fill = colour, .opacity = 0.2};
  const Point entry = NextEntry(legend);
  svg_.Rectangle(entry.x, entry.y - 6, 18, 12, ink);
  std::vector<Point> corners;
  for (const Point& point : low) {
    if (Finite(point)) corners.push_back(At(point));
  }
  for (size_t i = high.size(); i-- > 0;) {
    if (Finite(high[i])) corners.push_back(At(high[i]));
  }
  if (corners.size() > 2) svg_.Polygon(corners, ink);
}

void Chart::Dots(const std::vector<Point>& points, const std::string& colour, bool hollow,
                 std::string_view legend) {
  const Ink ink = hollow ? Ink{.fill = "white", .stroke = colour} : Ink{.fill = colour};
  const Point entry = NextEntry(legend);
  svg_.Circle({entry.x + 9, entry.y}, 3, ink);
  for (const Point& point : points) {
    if (Finite(point)) svg_.Circle(At(point), 3, ink);
  }
}

}  // namespace dray
