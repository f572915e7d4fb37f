#include "src/routing/pictures/route_map.h"

#include <algorithm>
#include <cmath>

#include "src/routing/pictures/place_layout.h"

namespace dray {
namespace {

// Minimum distance between the centres of two symbols.
constexpr double kRoom = 14;

std::vector<int> PlacesOf(const Problem& problem) {
  std::vector<int> places;
  for (const Stop& stop : problem.stops) places.push_back(stop.place);
  places.push_back(problem.depot);
  return places;
}

std::vector<Point> LaidOut(const Problem& problem, const std::vector<int>& places) {
  std::vector<int> distinct = places;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::vector<Point> layout = LayOutPlaces(problem.travel, distinct);
  std::vector<Point> points;
  for (const int place : places) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), place) - distinct.begin();
    points.push_back(
        {layout[at].x / problem.ticks_per_unit, layout[at].y / problem.ticks_per_unit});
  }
  return points;
}

// Returns true if there are coordinates, and not so far apart that no scale fits them.
bool HasMap(const Problem& problem) {
  constexpr double kFarthest = 1e100;
  return !problem.points.empty() &&
         std::all_of(problem.points.begin(), problem.points.end(), [](const Point& point) {
           return std::abs(point.x) < kFarthest && std::abs(point.y) < kFarthest;
         });
}

}  // namespace

RouteMap::RouteMap(const Problem& problem, const LabelPlaces::Box& frame)
    : laid_out_(!HasMap(problem)) {
  const std::vector<int> places = PlacesOf(problem);
  if (laid_out_) {
    positions_ = LaidOut(problem, places);
  } else {
    for (const int place : places) positions_.push_back(problem.points[place]);
  }
  // The whole map, where there is one, so that all plans on it have one scale.
  FitInto(frame, laid_out_ ? positions_ : problem.points);
  MoveApart(frame);
}

void RouteMap::FitInto(const LabelPlaces::Box& frame, std::vector<Point> shown) {
  const auto by_x = [](const Point& a, const Point& b) { return a.x < b.x; };
  const auto by_y = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto [west, east] = std::ranges::minmax_element(shown, by_x);
  const auto [south, north] = std::ranges::minmax_element(shown, by_y);
  const double width = east->x - west->x;
  const double height = north->y - south->y;
  const Point middle = {west->x + width / 2, south->y + height / 2};
  const double across = (frame.right - frame.left) / width;  // infinite if all x are equal
  const double down = (frame.bottom - frame.top) / height;
  if (width > 0 || height > 0) pixels_per_unit_ = std::min(across, down);
  for (Point& position : positions_) {
    position = {(frame.left + frame.right) / 2 + (position.x - middle.x) * pixels_per_unit_,
                (frame.top + frame.bottom) / 2 - (position.y - middle.y) * pixels_per_unit_};
  }
}

void RouteMap::MoveApart(const LabelPlaces::Box& frame) {
  constexpr int kRounds = 40;
  constexpr size_t kMost = 1000;  // with more there is no room to move to
  if (positions_.size() > kMost) return;
  const std::vector<Point> places = positions_;
  const size_t depot = positions_.size() - 1;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < positions_.size(); ++i) {
      for (size_t j = i + 1; j < positions_.size(); ++j) {
        Point& a = positions_[i];
        Point& b = positions_[j];
        const double room = j == depot ? 1.3 * kRoom : kRoom;
        Point way = {b.x - a.x, b.y - a.y};
        double distance = Distance(a, b);
        if (distance >= room) continue;
        if (distance < 0.01) {  // same place: give each its own direction
          way = {std::cos(2.4 * i), std::sin(2.4 * i)};
          distance = 1;
        }
        const double push = (room - distance) / 2 / distance * (j == depot ? 2 : 1);
        a = {a.x - push * way.x, a.y - push * way.y};
        if (j != depot) b = {b.x + push * way.x, b.y + push * way.y};
      }
    }
  }
  for (size_t i = 0; i < positions_.size(); ++i) {
    Point& position = positions_[i];
    position = {std::clamp(position.x, frame.left, frame.right),
                std::clamp(position.y, frame.top, frame.bottom)};
    moved_apart_ |= Distance(position, places[i]) > 3;
  }
}

}  // namespace dray
