#include "src/routing/pictures/place_layout.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace dray {
namespace {

using Column = std::vector<double>;

double Dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// A direction of length sqrt(value) along which the places spread.
struct Axis {
  double value = 0;
  Column direction;
};

// Finds the axes of the doubly centred squared travel times, longest first. The matrix itself is
// never stored, because thousands of places would not fit.
class Scaling {
 public:
  Scaling(const TravelMatrix& travel, const std::vector<int>& places)
      : travel_(travel), places_(places) {}

  // Adds an axis by power iteration, orthogonal to those before it.
  void AddAxis() {
    constexpr int kSteps = 100;
    Column direction(places_.size());
    // Any start that is not a symmetry of a likely map will do.
    for (size_t i = 0; i < direction.size(); ++i)
      direction[i] = std::cos(i * (i + 1 + axes_.size()) + 0.5);
    double value = 0;
    for (int step = 0; step < kSteps && Normalise(&direction); ++step) {
      Column next = Times(direction);
      const double before = std::exchange(value, Dot(direction, next));
      direction = std::move(next);
      if (std::abs(value - before) <= 1e-9 * std::abs(value)) break;
    }
    if (!Normalise(&direction)) value = 0;
    axes_.push_back({value, std::move(direction)});
  }

  const std::vector<Axis>& axes() const { return axes_; }

 private:
  double Squared(size_t i, size_t j) const {
    const double mean =
        0.5 * travel_(places_[i], places_[j]) + 0.5 * travel_(places_[j], places_[i]);
    return i == j ? 0 : mean * mean;
  }

  static void Centre(Column* column) {
    const double mean = std::accumulate(column->begin(), column->end(), 0.0) / column->size();
    for (double& value : *column) value -= mean;
  }

  Column Times(Column column) const {
    Centre(&column);
    Column product(column.size(), 0.0);
    for (size_t i = 0; i < column.size(); ++i) {
      for (size_t j = 0; j < column.size(); ++j) product[i] -= 0.5 * Squared(i, j) * column[j];
    }
    Centre(&product);
    return product;
  }

  // Scales the direction to length 1 and makes it orthogonal to the axes so far. Returns false if
  // nothing is left.
  bool Normalise(Column* direction) const {
    const double size = std::sqrt(Dot(*direction, *direction));
    for (const Axis& axis : axes_) {
      const double share = Dot(*direction, axis.direction);
      for (size_t i = 0; i < direction->size(); ++i) (*direction)[i] -= share * axis.direction[i];
    }
    const double length = std::sqrt(Dot(*direction, *direction));
    if (!(length > 1e-9 * size)) {
      direction->assign(direction->size(), 0.0);
      return false;
    }
    for (double& value : *direction) value /= length;
    return true;
  }

  const TravelMatrix& travel_;
  const std::vector<int>& places_;
  std::vector<Axis> axes_;
};

}  // namespace

std::vector<Point> LayOutPlaces(const TravelMatrix& travel, const std::vector<int>& places) {
  // Times that do not fit in a plane may put an imaginary axis (a negative value) among the
  // longest.
  constexpr int kMostAxes = 6;
  std::vector<Point> points(places.size());
  Scaling scaling(travel, places);
  int found = 0;
  for (int i = 0; i < kMostAxes && found < 2; ++i) {
    scaling.AddAxis();
    const Axis& axis = scaling.axes().back();
    if (!(axis.value > 0)) continue;
    const double length = std::sqrt(axis.value);
    for (size_t place = 0; place < points.size(); ++place)
      (found == 0 ? points[place].x : points[place].y) = length * axis.direction[place];
    ++found;
  }
  return points;
}

}  // namespace dray
