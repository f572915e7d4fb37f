#include "src/routing/pictures/label_places.h"

#include <algorithm>
#include <array>
#include <limits>

namespace dray {
namespace {

using Box = LabelPlaces::Box;

double Overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

// Narrows [*enter, *leave], given as fractions of a line, to where position + fraction * step is in
// [low, high].
bool Clip(double position, double step, double low, double high, double* enter, double* leave) {
  if (step == 0) return position >= low && position <= high;
  const double at_low = (low - position) / step;
  const double at_high = (high - position) / step;
  *enter = std::max(*enter, std::min(at_low, at_high));
  *leave = std::min(*leave, std::max(at_low, at_high));
  return *enter <= *leave;
}

bool Crosses(const Point& from, const Point& to, const Box& box) {
  double enter = 0;
  double leave = 1;
  return Clip(from.x, to.x - from.x, box.left, box.right, &enter, &leave) &&
         Clip(from.y, to.y - from.y, box.top, box.bottom, &enter, &leave);
}

}  // namespace

void LabelPlaces::AddSymbol(const Point& centre, double radius) {
  symbols_.push_back({centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius});
}

double LabelPlaces::Covered(const Box& box) const {
  // Overlapping another label is worst, a symbol bad; over a line, text is still readable.
  double covered = 0;
  for (const Box& label : labels_) covered += 4 * Overlap(box, label);
  for (const Box& symbol : symbols_) covered += 2 * Overlap(box, symbol);
  for (const Segment& line : lines_) covered += Crosses(line.from, line.to, box) ? 12 : 0;
  return covered;
}

Box LabelPlaces::Place(const Point& centre, double radius, double width, double height) {
  // Fractions of the room on either side, in order of preference.
  constexpr std::array<std::array<double, 2>, 8> kSides = {
      {{1, -0.6}, {1, 0.6}, {-1, -0.6}, {-1, 0.6}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
  Box best;
  double least = std::numeric_limits<double>::infinity();
  for (const double gap : {1.0, 6.0}) {
    for (const auto& [across, down] : kSides) {
      const double x = centre.x + across * (radius + gap + width / 2);
      const double y = centre.y + down * (radius + gap + height / 2);
      const double left = std::clamp(x - width / 2, frame_.left, frame_.right - width);
      const double top = std::clamp(y - height / 2, frame_.top, frame_.bottom - height);
      const Box box = {left, top, left + width, top + height};
      const double covered = Covered(box) + gap;
      if (covered >= least) continue;
      least = covered;
      best = box;
    }
  }
  labels_.push_back(best);
  return best;
}

}  // namespace dray
