#include "src/routing/pictures/gantt_layout.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dray {
namespace {

std::vector<bool> Visited(const Problem& problem, const Simulation& driven) {
  std::vector<bool> visited(problem.stops.size(), false);
  for (const std::vector<Visit>& route : driven.routes) {
    for (const Visit& visit : route) visited[visit.stop] = true;
  }
  return visited;
}

}  // namespace

GanttLayout::GanttLayout(const Problem& problem, const Simulation& driven,
                         const PictureWords& words, std::span<const AskedWindow> asked,
                         const std::optional<TimeSpan>& times, double left, double right,
                         double label_size)
    : problem_(problem),
      driven_(driven),
      words_(words),
      asked_(asked),
      label_size_(label_size),
      visited_(Visited(problem, driven)),
      axis_(MakeAxis(times, left, right)) {
  for (const std::vector<Visit>& route : driven.routes) {
    Row& row = vehicles_.emplace_back();
    for (const Visit& visit : route) {
      row.bars.push_back({.stop = visit.stop,
                          .served = true,
                          .late = visit.start > problem.stops[visit.stop].closes,
                          .hover = words.Describe(visit),
                          .moment = axis_.X(visit.start)});
    }
  }
  for (int stop = 0; stop < std::ssize(visited_); ++stop) {
    if (visited_[stop]) continue;
    const Stop& window = problem.stops[stop];
    absent_.bars.push_back({.stop = stop,
                            .hover = words.Describe(stop) + ", not served",
                            .moment = (axis_.X(window.opens) + axis_.X(window.closes)) / 2});
  }
  for (Row& row : vehicles_) AssignLanes(&row);
  AssignLanes(&absent_);
}

int64_t GanttLayout::Departure(size_t vehicle) const {
  const std::vector<Visit>& route = driven_.routes[vehicle];
  if (route.empty()) return problem_.depot_opens;
  const Visit& first = route.front();
  return int64_t{first.start} - problem_.travel(problem_.depot, problem_.stops[first.stop].place);
}

AskedWindow GanttLayout::Asked(int stop) const {
  const Stop& agreed = problem_.stops[stop];
  return asked_.empty() ? AskedWindow{agreed.opens, agreed.closes} : asked_[stop];
}

bool GanttLayout::Shifted(int stop) const {
  const AskedWindow asked = Asked(stop);
  const Stop& agreed = problem_.stops[stop];
  return asked.opens != agreed.opens || asked.closes != agreed.closes;
}

// Covers all driving, and the windows unless they reach far beyond it.
TimeAxis GanttLayout::MakeAxis(const std::optional<TimeSpan>& times, double left,
                               double right) const {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  const auto cover = [&](int64_t begin, int64_t end) {
    first = std::min(first, begin);
    last = std::max(last, end);
  };
  for (size_t vehicle = 0; vehicle < driven_.routes.size(); ++vehicle)
    cover(Departure(vehicle), driven_.returns[vehicle]);
  for (size_t stop = 0; stop < visited_.size(); ++stop) {
    if (!visited_[stop]) cover(problem_.stops[stop].opens, problem_.stops[stop].closes);
  }
  if (first > last) cover(problem_.depot_opens, problem_.depot_closes);
  const int64_t beyond = (last - first) / 4;
  const int64_t earliest = first - beyond;
  const int64_t latest = last + beyond;
  for (int stop = 0; stop < std::ssize(visited_); ++stop) {
    const AskedWindow asked = Asked(stop);
    const Stop& agreed = problem_.stops[stop];
    cover(std::max<int64_t>(earliest, std::min(asked.opens, agreed.opens)),
          std::min<int64_t>(latest, std::max(asked.closes, agreed.closes)));
  }
  if (times) cover(times->begin, times->end);
  return {first, last, left, right};
}

// Puts the label right of the moment, beyond the window's end if that is near, or left of the
// moment at the edge of the picture.
void GanttLayout::Measure(Bar* bar) const {
  const AskedWindow asked = Asked(bar->stop);
  const Stop& agreed = problem_.stops[bar->stop];
  const double width = WidthOfText(words_.Label(bar->stop), label_size_) + 3;
  const double moment = bar->moment;
  const double closes = axis_.X(agreed.closes);
  const bool crosses = moment <= closes && closes < moment + 3 + width;
  bar->label = crosses ? closes + 3 : moment + 4;
  if (bar->label + width > axis_.right()) bar->label = moment - 3 - width;
  bar->begin = std::min({axis_.X(asked.opens), axis_.X(agreed.opens), moment, bar->label});
  bar->end = std::max({axis_.X(asked.closes), closes, moment, bar->label + width});
}

// Gives bars that overlap in time different lanes.
void GanttLayout::AssignLanes(Row* row) const {
  std::vector<Bar*> bars;
  for (Bar& bar : row->bars) {
    Measure(&bar);
    bars.push_back(&bar);
  }
  std::sort(bars.begin(), bars.end(), [](const Bar* a, const Bar* b) {
    return std::pair(a->begin, a->stop) < std::pair(b->begin, b->stop);
  });
  std::vector<double> ends;
  for (Bar* bar : bars) {
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](double end) { return end + 3 <= bar->begin; });
    bar->lane = free - ends.begin();
    if (free == ends.end()) {
      ends.push_back(bar->end);
    } else {
      *free = bar->end;
    }
  }
  row->lanes = ends.size();
}

}  // namespace dray
