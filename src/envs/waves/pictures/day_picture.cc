#include "src/envs/waves/pictures/day_picture.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/output/format.h"
#include "src/routing/clock_time.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/pictures/svg.h"
#include "src/routing/plan.h"
#include "src/routing/travel_minutes.h"

namespace dray::waves {
namespace {

constexpr double kDayLeft = 150, kDayRight = 1170, kDayTop = 84, kDayFoot = 60;
constexpr double kMostRow = 16, kLeastRow = 5, kRowsHeight = 900, kLeastLabelledRow = 9;
constexpr char kWindowColour[] = "#dfe8ee", kWaitColour[] = "#b5b5b0", kGridColour[] = "#d4d4d0";
// One per wave, in turn.
constexpr std::array kWaveColours = {"#0b6e99", "#c4572e", "#3c7d3c", "#7d4f9e",
                                     "#a67c00", "#b03a6f", "#2f7f7a", "#6b6b6b"};

// A request on its way.
struct Row {
  Request request;
  Ticks leaves = 0;
  Ticks served = 0;
  int wave = 0;   // counted from 0
  int route = 0;  // of the day
};

std::vector<Row> RowsOf(const Day& day) {
  const Instance& instance = day.instance();
  std::vector<Row> rows;
  int route_number = 0;
  for (size_t wave = 0; wave < day.dispatched().size(); ++wave) {
    const Ticks leaves = instance.Departure(instance.first_epoch + static_cast<int>(wave));
    for (const std::vector<int>& route : day.dispatched()[wave]) {
      Ticks now = leaves;
      int place = 0;
      for (const int id : route) {
        const Request& request = day.arrived()[id - 1];
        now = std::max(now + instance.travel(place, request.place), request.opens);
        rows.push_back({request, leaves, now, static_cast<int>(wave), route_number});
        now += request.service;
        place = request.place;
      }
      ++route_number;
    }
  }
  return rows;
}

Ticks InTicks(Ticks seconds) { return (seconds * kTicksPerMinute + 30) / 60; }

class DayDrawing {
 public:
  DayDrawing(const Day& day, const std::string& title)
      : day_(day),
        rows_(RowsOf(day)),
        row_(std::clamp(kRowsHeight / static_cast<double>(std::max<size_t>(rows_.size(), 1)),
                        kLeastRow, kMostRow)),
        bottom_(kDayTop + row_ * static_cast<double>(rows_.size())),
        begin_(day.instance().first_epoch * kEpoch_s),
        end_(begin_ + kEpoch_s),
        svg_(kDayRight + 30, bottom_ + kDayFoot, title) {
    for (const Row& row : rows_) end_ = std::max({end_, row.served, row.request.closes});
    svg_.Text(24, 34, title, {.size = 18, .bold = true});
  }

  std::string Draw() {
    DrawWaves();
    for (size_t i = 0; i < rows_.size(); ++i) DrawRow(rows_[i], kDayTop + row_ * i);
    for (size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i].route == rows_[i - 1].route) continue;
      const double y = kDayTop + row_ * i;
      svg_.Line({kDayLeft, y}, {kDayRight, y}, {.stroke = kGridColour, .kind = "route"});
    }
    DrawLegend();
    return svg_.Document();
  }

 private:
  double X(Ticks time) const {
    return kDayLeft + (kDayRight - kDayLeft) * (time - begin_) / (end_ - begin_);
  }
  static const char* ColourOf(int wave) { return kWaveColours[wave % kWaveColours.size()]; }

  void DrawWaves() {
    const Instance& instance = day_.instance();
    svg_.Text(kDayLeft - 10, kDayTop - 22, "wave", {.size = 11, .anchor = "end"});
    svg_.Text(kDayLeft - 10, kDayTop - 8, "requests", {.size = 11, .anchor = "end"});
    for (int epoch = instance.first_epoch; epoch <= instance.last_epoch; ++epoch) {
      const Ticks leaves = instance.Departure(epoch);
      if (leaves > end_) break;
      const auto gone = std::ranges::count(rows_, leaves, &Row::leaves);
      const int wave = epoch - instance.first_epoch;
      svg_.Line({X(leaves), kDayTop - 4}, {X(leaves), bottom_ + 4},
                {.stroke = ColourOf(wave), .opacity = 0.6});
      svg_.Text(X(leaves), kDayTop - 22, ClockTextOfSeconds(leaves),
                {.size = 11, .anchor = "middle", .fill = ColourOf(wave), .bold = true});
      svg_.Text(X(leaves), kDayTop - 8, FormatCount(gone),
                {.size = 11, .anchor = "middle", .fill = ColourOf(wave)});
    }
  }

  void DrawRow(const Row& row, double y) {
    const Request& request = row.request;
    const std::string hover = Cat(
        "request ", request.id, " at place ", NameOf(request.place), ": known at ",
        ClockTextOfSeconds(request.epoch * kEpoch_s), ", leaves at ",
        ClockTextOfSeconds(row.leaves), ", served at ", ClockTextOfSeconds(row.served), ", window ",
        ClockTextOfSeconds(request.opens), " to ", ClockTextOfSeconds(request.closes));
    const double middle = y + row_ / 2, inset = row_ > 8 ? 2 : 0.5;
    svg_.Rectangle(X(request.opens), y + inset, X(request.closes) - X(request.opens),
                   row_ - 2 * inset, {.fill = kWindowColour, .kind = "window", .hover = hover});
    svg_.Line({X(request.epoch * kEpoch_s), middle}, {X(row.leaves), middle},
              {.stroke = kWaitColour, .width = 2, .kind = "waits", .hover = hover});
    svg_.Line({X(row.leaves), middle}, {X(row.served), middle},
              {.stroke = ColourOf(row.wave), .width = 2, .kind = "drives", .hover = hover});
    svg_.Circle({X(row.served), middle}, std::min(3.5, row_ / 2 - 0.5),
                {.fill = ColourOf(row.wave), .kind = "served", .hover = hover});
    if (row_ >= kLeastLabelledRow) {
      svg_.Text(kDayLeft - 10, middle + 3.5, Cat(request.id, " · ", NameOf(request.place)),
                {.size = 10, .anchor = "end"});
    }
  }

  std::string NameOf(int place) const {
    const auto& names = day_.instance().place_names;
    return names.empty() ? Cat(place) : names[place];
  }

  void DrawLegend() {
    const double y = bottom_ + 32;
    svg_.Line({kDayLeft, y - 4}, {kDayLeft + 24, y - 4}, {.stroke = kWaitColour, .width = 2});
    svg_.Text(kDayLeft + 30, y, "waits", {.size = 11});
    svg_.Line({kDayLeft + 90, y - 4}, {kDayLeft + 114, y - 4}, {.stroke = ColourOf(0), .width = 2});
    svg_.Circle({kDayLeft + 114, y - 4}, 3.5, {.fill = ColourOf(0)});
    svg_.Text(kDayLeft + 124, y, "on its way, served", {.size = 11});
    svg_.Rectangle(kDayLeft + 246, y - 10, 24, 11, {.fill = kWindowColour});
    svg_.Text(kDayLeft + 276, y, "window", {.size = 11});
  }

  const Day& day_;
  const std::vector<Row> rows_;
  const double row_;
  const double bottom_;
  const Ticks begin_;
  Ticks end_;
  Svg svg_;
};

}  // namespace

std::string DayPicture(const Day& day, const std::string& title) {
  DRAY_CHECK(day.done());
  return DayDrawing(day, title).Draw();
}

// The map's problem has ticks of tenths of a minute, as other deliveries have. Every stop opens
// when it was served, so that vehicles are back when they were.
std::string DayMap(const Day& day, const std::string& title) {
  const Instance& instance = day.instance();
  Problem problem;
  problem.unit = "min";
  problem.points = instance.points;
  std::vector<Ticks> times(instance.travel.times().begin(), instance.travel.times().end());
  for (Ticks& time : times) time = InTicks(time);
  problem.travel = TravelMatrix(instance.travel.places(), std::move(times));
  problem.depot_closes = kMaxTicks;
  Plan plan;
  int route = -1;
  for (const Row& row : RowsOf(day)) {
    if (row.route != std::exchange(route, row.route)) plan.routes.emplace_back();
    const int stop = static_cast<int>(problem.stops.size());
    plan.routes.back().push_back(stop);
    problem.requests.push_back({.pickup = stop});
    problem.stops.push_back({.place = row.request.place,
                             .opens = InTicks(row.served),
                             .closes = kMaxTicks,
                             .service = InTicks(row.request.service),
                             .load = row.request.load});
    problem.numbers.push_back(row.request.id);
  }
  problem.fleet = {.capacity = instance.capacity,
                   .free_vehicles = static_cast<int>(plan.routes.size())};
  return RoutesSvg(problem, plan, {.title = title, .clock = true});
}

}  // namespace dray::waves
