#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/routing/pictures/label_places.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/pictures/picture_words.h"
#include "src/routing/pictures/route_map.h"
#include "src/routing/pictures/svg.h"

namespace dray {
namespace {

constexpr double kSheetWidth = 1240;
constexpr double kSheetMargin = 24;
// Symbols keep clear of the map's edge, so that labels and bent lines stay inside it.
constexpr LabelPlaces::Box kMap = {kSheetMargin, 76, 900, 800};
constexpr double kEdge = 34;
constexpr LabelPlaces::Box kSymbols = {kMap.left + kEdge, kMap.top + kEdge, kMap.right - kEdge,
                                       kMap.bottom - kEdge - 16};
constexpr double kLegend = kMap.right + 24;
constexpr double kRow = 21;
constexpr double kSymbol = 5;
constexpr double kDepot = 8;
constexpr double kSheetLabel = 10;
// More would be a grey cloud; hovering still shows each name.
constexpr size_t kMostLabels = 400;
constexpr char kAbsent[] = "#b00020";

class RoutesPicture {
 public:
  RoutesPicture(const Problem& problem, const Plan& plan, const PictureText& text)
      : problem_(problem),
        words_(problem, text),
        driven_(Simulate(problem, plan)),
        map_(problem, kSymbols),
        caption_(WrapText(words_.Caption(driven_, Note()), 12, kMap.right - kMap.left)),
        svg_(kSheetWidth, Height(), words_.title()),
        labels_(kMap) {
    visited_.assign(problem.stops.size(), false);
    for (const std::vector<Visit>& route : driven_.routes) {
      for (const Visit& visit : route) visited_[visit.stop] = true;
    }
  }

  std::string Draw() {
    svg_.Text(kSheetMargin, 38, words_.title(), {.size = 22, .bold = true, .kind = "title"});
    svg_.Text(kSheetMargin, 60, words_.Summary(driven_), {.size = 13, .fill = kQuietColour});
    svg_.Rectangle(kMap.left, kMap.top, kMap.right - kMap.left, kMap.bottom - kMap.top,
                   {.fill = "#ffffff", .stroke = "#d8d8d4"});
    for (size_t vehicle = 0; vehicle < driven_.routes.size(); ++vehicle) DrawLegs(vehicle);
    DrawSymbols();
    DrawLabels();
    DrawScale();
    DrawLegend();
    for (size_t line = 0; line < caption_.size(); ++line) {
      svg_.Text(kSheetMargin, kMap.bottom + 22 + 16 * line, caption_[line],
                {.size = 12, .fill = kQuietColour});
    }
    return svg_.Document();
  }

 private:
  std::string Note() const {
    return Cat(map_.laid_out()
                   ? "The problem has no map: places are laid out by the travel times between them."
                   : "",
               map_.laid_out() && map_.moved_apart() ? " " : "",
               map_.moved_apart() ? "Symbols that would cover each other are moved apart." : "");
  }

  double LegendHeight() const { return kRow * (driven_.routes.size() + 9); }

  double Height() const {
    return std::max(kMap.bottom + 24 + 16 * caption_.size(), kMap.top + LegendHeight());
  }

  // Draws one leg, bent a little to its right, so that both directions are visible.
  void DrawLeg(size_t vehicle, const Point& from, const Point& to, bool depot_leg) {
    const VehicleLook look = LookOfVehicle(vehicle);
    const Point way = {to.x - from.x, to.y - from.y};
    const double length = Distance(from, to);
    if (length < 1) return;
    const double bend = std::min(0.05, 16 / length);
    const Point control = {(from.x + to.x) / 2 - bend * way.y, (from.y + to.y) / 2 + bend * way.x};
    const Point middle = {(from.x + 2 * control.x + to.x) / 4, (from.y + 2 * control.y + to.y) / 4};
    const double opacity = depot_leg ? 0.4 : 0.9;
    svg_.Curve(from, control, to,
               {.stroke = look.colour,
                .width = depot_leg ? 1.3 : 2,
                .dashes = look.dashes,
                .opacity = opacity,
                .kind = "leg",
                .hover = Cat("vehicle ", vehicle + 1)});
    labels_.AddLine(from, middle);
    labels_.AddLine(middle, to);
    const double size = std::min(depot_leg ? 6.0 : 7.5, 0.3 * length);
    const Point ahead = {size * way.x / length, size * way.y / length};
    svg_.Polygon({{middle.x + ahead.x, middle.y + ahead.y},
                  {middle.x - ahead.x / 2 - ahead.y * 0.6, middle.y - ahead.y / 2 + ahead.x * 0.6},
                  {middle.x - ahead.x / 2 + ahead.y * 0.6, middle.y - ahead.y / 2 - ahead.x * 0.6}},
                 {.fill = look.colour, .opacity = std::min(1.0, opacity + 0.2), .kind = "arrow"});
  }

  void DrawLegs(size_t vehicle) {
    const std::vector<Visit>& route = driven_.routes[vehicle];
    if (route.empty()) return;
    DrawLeg(vehicle, map_.depot(), map_.stop(route.front().stop), /*depot_leg=*/true);
    for (size_t i = 1; i < route.size(); ++i) {
      DrawLeg(vehicle, map_.stop(route[i - 1].stop), map_.stop(route[i].stop),
              /*depot_leg=*/false);
    }
    DrawLeg(vehicle, map_.stop(route.back().stop), map_.depot(), /*depot_leg=*/true);
  }

  // Draws a filled circle for a pickup or single stop, else a ring.
  void DrawStop(const Point& at, const std::string& colour, bool ring, std::string hover) {
    svg_.Circle(at, ring ? kSymbol - 0.5 : kSymbol,
                {.fill = ring ? "#ffffff" : colour,
                 .stroke = ring ? colour : "#ffffff",
                 .width = ring ? 2.5 : 1,
                 .kind = "stop",
                 .hover = std::move(hover)});
  }

  void DrawCross(const Point& at, std::string hover) {
    const double arm = kSymbol - 0.5;
    const Ink ink = {.stroke = kAbsent, .width = 2.2, .kind = "unserved"};
    svg_.Line({at.x - arm, at.y - arm}, {at.x + arm, at.y + arm}, ink);
    svg_.Line({at.x - arm, at.y + arm}, {at.x + arm, at.y - arm}, ink);
    // Target for hovering, because the lines are thin.
    svg_.Circle(at, kSymbol, {.fill = "#ffffff", .opacity = 0.01, .hover = std::move(hover)});
  }

  void DrawDepot(const Point& at) {
    svg_.Rectangle(at.x - kDepot, at.y - kDepot, 2 * kDepot, 2 * kDepot,
                   {.fill = kTextColour,
                    .stroke = "#ffffff",
                    .width = 2,
                    .kind = "depot",
                    .hover = Cat("depot, open ", words_.Time(problem_.depot_opens), " to ",
                                 words_.Time(problem_.depot_closes))});
  }

  void DrawSymbols() {
    DrawDepot(map_.depot());
    labels_.AddSymbol(map_.depot(), kDepot);
    for (size_t stop = 0; stop < problem_.stops.size(); ++stop) {
      const int index = stop;
      labels_.AddSymbol(map_.stop(index), kSymbol);
      if (!visited_[stop]) DrawCross(map_.stop(index), words_.Describe(index) + ", not served");
    }
    for (size_t vehicle = 0; vehicle < driven_.routes.size(); ++vehicle) {
      for (const Visit& visit : driven_.routes[vehicle]) {
        DrawStop(map_.stop(visit.stop), LookOfVehicle(vehicle).colour,
                 /*ring=*/problem_.stops[visit.stop].load < 0,
                 Cat("vehicle ", vehicle + 1, ": ", words_.Describe(visit)));
      }
    }
  }

  void DrawLabel(const Point& at, double radius, const std::string& text, const Lettering& look) {
    const LabelPlaces::Box box =
        labels_.Place(at, radius, WidthOfText(text, look.size) + 2, look.size);
    svg_.Text((box.left + box.right) / 2, box.bottom - 0.15 * look.size, text, look);
  }

  void DrawLabels() {
    if (problem_.stops.size() > kMostLabels) return;
    const auto draw = [&](int stop, const std::string& colour) {
      DrawLabel(
          map_.stop(stop), kSymbol, words_.Label(stop),
          {.size = kSheetLabel, .anchor = "middle", .fill = colour, .halo = true, .kind = "label"});
    };
    for (size_t stop = 0; stop < problem_.stops.size(); ++stop)
      draw(stop, visited_[stop] ? kTextColour : kAbsent);
    DrawLabel(map_.depot(), kDepot, "depot",
              {.size = kSheetLabel + 1, .anchor = "middle", .bold = true, .halo = true});
  }

  // Returns the travel per unit of the map, over the legs between the depot and the stops.
  double TravelPerUnit() const {
    double travel = 0;
    double distance = 0;
    if (map_.laid_out()) return 1;
    for (const Stop& stop : problem_.stops) {
      const Point& depot = problem_.points[problem_.depot];
      const Point& place = problem_.points[stop.place];
      travel += problem_.travel(problem_.depot, stop.place);
      distance += Distance(place, depot);
    }
    return distance > 0 ? travel / distance / problem_.ticks_per_unit : 0;
  }

  // Draws a scale bar in the lower left corner, for a round amount of travel.
  void DrawScale() {
    const double travel_per_unit = TravelPerUnit();
    if (!(travel_per_unit > 0)) return;
    const double pixels_per_travel = map_.pixels_per_unit() / travel_per_unit;
    const double most = 160 / pixels_per_travel;
    const double power = std::pow(10, std::floor(std::log10(most)));
    const double travel = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
    const double left = kMap.left + 14;
    const double right = left + travel * pixels_per_travel;
    const double y = kMap.bottom - 14;
    const Ink ink = {.stroke = kTextColour, .width = 1.5};
    svg_.Line({left, y}, {right, y}, ink);
    svg_.Line({left, y - 4}, {left, y + 4}, ink);
    svg_.Line({right, y - 4}, {right, y + 4}, ink);
    svg_.Text(
        right + 8, y + 4,
        Cat("about ", words_.Span(std::llround(travel * problem_.ticks_per_unit)), " of travel"),
        {.size = 11, .halo = true, .kind = "scale"});
  }

  std::string TravelOf(size_t vehicle) const {
    int64_t travel = 0;
    int place = problem_.depot;
    for (const Visit& visit : driven_.routes[vehicle]) {
      travel += problem_.travel(place, problem_.stops[visit.stop].place);
      place = problem_.stops[visit.stop].place;
    }
    return words_.Span(travel + problem_.travel(place, problem_.depot));
  }

  void DrawLegend() {
    const double number = kLegend + 54;
    const double stops = kLegend + 142;
    const double travel = kLegend + 222;
    const double back = kSheetWidth - kSheetMargin;
    double y = kMap.top + 14;
    const auto row = [&](const std::string& vehicle_text, const std::string& stops_text,
                         const std::string& travel_text, const std::string& back_text,
                         const Lettering& look) {
      Lettering right = look;
      right.anchor = "end";
      svg_.Text(number, y, vehicle_text, look);
      svg_.Text(stops, y, stops_text, right);
      svg_.Text(travel, y, travel_text, right);
      svg_.Text(back, y, back_text, right);
      y += kRow;
    };
    row("vehicle", "stops", "travel", "back at", {.size = 11, .fill = kQuietColour});
    for (size_t vehicle = 0; vehicle < driven_.routes.size(); ++vehicle) {
      const VehicleLook look = LookOfVehicle(vehicle);
      svg_.Line({kLegend, y - 4}, {kLegend + 42, y - 4},
                {.stroke = look.colour, .width = 3, .dashes = look.dashes});
      row(Cat(vehicle + 1), Cat(driven_.routes[vehicle].size()), TravelOf(vehicle),
          words_.Time(driven_.returns[vehicle]), {.size = 12, .kind = "vehicle"});
    }
    if (driven_.routes.empty()) row("none", "0", words_.Span(0), "", {.size = 12});
    DrawSymbolLegend(y + kRow);
  }

  void DrawSymbolLegend(double y) {
    const double x = kLegend + 12;
    const auto name = [&](const std::string& text) {
      svg_.Text(kLegend + 54, y + 4, text, {.size = 12});
      y += kRow + 2;
    };
    const auto& requests = problem_.requests;
    const auto paired = [](const Request& request) { return request.paired(); };
    DrawDepot({x, y});
    name("depot");
    if (!std::all_of(requests.begin(), requests.end(), paired)) {
      svg_.Circle({x, y}, kSymbol, {.fill = kTextColour});
      name("customer");
    }
    if (std::any_of(requests.begin(), requests.end(), paired)) {
      svg_.Circle({x, y}, kSymbol, {.fill = kTextColour});
      name("pickup (P)");
      svg_.Circle({x, y}, kSymbol - 0.5, {.fill = "#ffffff", .stroke = kTextColour, .width = 2.5});
      name("dropoff (D)");
    }
    if (std::find(visited_.begin(), visited_.end(), false) != visited_.end()) {
      const double arm = kSymbol - 0.5;
      svg_.Line({x - arm, y - arm}, {x + arm, y + arm}, {.stroke = kAbsent, .width = 2.2});
      svg_.Line({x - arm, y + arm}, {x + arm, y - arm}, {.stroke = kAbsent, .width = 2.2});
      name("not served");
    }
  }

  const Problem& problem_;
  const PictureWords words_;
  const Simulation driven_;
  const RouteMap map_;
  const std::vector<std::string> caption_;
  std::vector<bool> visited_;
  Svg svg_;
  LabelPlaces labels_;
};

}  // namespace

std::string RoutesSvg(const Problem& problem, const Plan& plan, const PictureText& text) {
  return RoutesPicture(problem, plan, text).Draw();
}

}  // namespace dray
