#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/routing/pictures/gantt_layout.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/pictures/picture_words.h"
#include "src/routing/pictures/svg.h"

namespace dray {
namespace {

constexpr double kChartWidth = 1400;
constexpr double kChartMargin = 24;
constexpr double kLeft = 128;  // left end of the time axis
constexpr double kRight = kChartWidth - kChartMargin;
constexpr double kTop = 112;  // top of the first row
constexpr double kLane = 15;  // height of one lane
constexpr double kBar = 11;   // height of a window
constexpr double kLoad = 22;
constexpr double kDoing = 10;
constexpr double kPadding = 7;
constexpr double kChartLabel = 9.5;
constexpr char kWaiting[] = "#b5b5b0";
constexpr char kGrey[] = "#777777";
constexpr char kBad[] = "#b00020";
// Ink of a window that was asked for but not agreed on.
Ink AskedInk() { return {.fill = "#e9e9e5", .stroke = kGrey, .width = 0.8, .dashes = "2 2"}; }

class GanttPicture {
 public:
  GanttPicture(const Problem& problem, const Plan& plan, const PictureText& text,
               std::span<const AskedWindow> asked)
      : problem_(problem),
        words_(problem, text),
        clock_(text.clock),
        driven_(Simulate(problem, plan)),
        layout_(problem, driven_, words_, asked, text.times, kLeft, kRight, kChartLabel),
        axis_(layout_.axis()),
        highest_load_(HighestLoad()),
        bottom_(Bottom()),
        caption_(WrapText(words_.Caption(driven_), 12, kRight - kChartMargin)),
        svg_(kChartWidth, bottom_ + 70 + 16 * caption_.size(), words_.title()) {}

  std::string Draw() {
    svg_.Text(kChartMargin, 38, words_.title(), {.size = 22, .bold = true, .kind = "title"});
    svg_.Text(kChartMargin, 60, words_.Summary(driven_), {.size = 13, .fill = kQuietColour});
    DrawAxis();
    double y = kTop;
    for (size_t vehicle = 0; vehicle < driven_.routes.size(); ++vehicle) {
      DrawVehicle(vehicle, y);
      y += RowHeight(layout_.vehicles()[vehicle], /*drives=*/true);
    }
    DrawAbsent(y);
    if (driven_.routes.empty()) {
      svg_.Text((kLeft + kRight) / 2, bottom_ - 14, "no vehicle is used",
                {.size = 13, .anchor = "middle", .fill = kQuietColour});
    }
    DrawLegend(bottom_ + 44);
    for (size_t line = 0; line < caption_.size(); ++line) {
      svg_.Text(kChartMargin, bottom_ + 74 + 16 * line, caption_[line],
                {.size = 12, .fill = kQuietColour});
    }
    return svg_.Document();
  }

 private:
  int HighestLoad() const {
    int highest = 1;
    for (const std::vector<Visit>& route : driven_.routes) {
      for (const Visit& visit : route) highest = std::max(highest, visit.load);
    }
    return highest;
  }

  static double RowHeight(const GanttLayout::Row& row, bool drives) {
    return kLane * std::max(1, row.lanes) + (drives ? kLoad + kDoing + 4 : 0) + 2 * kPadding;
  }

  double Bottom() const {
    double y = kTop;
    for (const GanttLayout::Row& row : layout_.vehicles()) y += RowHeight(row, /*drives=*/true);
    const GanttLayout::Row& absent = layout_.absent();
    // Room for the name and the number below it.
    if (!absent.bars.empty()) y += std::max(44.0, RowHeight(absent, /*drives=*/false));
    return driven_.routes.empty() ? y + 40 : y;
  }

  void DrawAxis() {
    for (const int64_t mark : axis_.Marks(problem_.ticks_per_unit, clock_, /*room=*/64)) {
      const double x = axis_.X(mark);
      svg_.Line({x, kTop - 6}, {x, bottom_ + 6}, {.stroke = "#e4e4e0"});
      for (const double y : {kTop - 11, bottom_ + 19}) {
        svg_.Text(x, y, words_.Time(mark),
                  {.size = 11, .anchor = "middle", .fill = kQuietColour, .kind = "clock"});
      }
    }
  }

  void DrawRowFrame(double y, double height, const std::string& name, size_t stops,
                    const std::string& colour) {
    svg_.Line({kChartMargin, y}, {kRight, y}, {.stroke = "#c8c8c4"});
    svg_.Rectangle(kChartMargin, y + kPadding, 6, height - 2 * kPadding, {.fill = colour});
    svg_.Text(kChartMargin + 14, y + kPadding + 13, name,
              {.size = 13, .bold = true, .kind = "vehicle"});
    svg_.Text(kChartMargin + 14, y + kPadding + 29, PictureWords::Count(stops, "stop"),
              {.size = 11, .fill = kQuietColour});
  }

  void DrawAsked(int stop, double y) {
    const AskedWindow asked = layout_.Asked(stop);
    Ink ink = AskedInk();
    ink.kind = "asked";
    ink.hover = Cat(words_.Label(stop), " asked for ", words_.Time(asked.opens), " to ",
                    words_.Time(asked.closes));
    const double opens = axis_.X(asked.opens);
    svg_.Rectangle(opens, y, axis_.X(asked.closes) - opens, kBar, ink);
  }

  void DrawBar(const GanttLayout::Bar& bar, double row_top, const std::string& colour) {
    const Stop& stop = problem_.stops[bar.stop];
    const double y = row_top + kPadding + kLane * bar.lane;
    if (layout_.Shifted(bar.stop)) DrawAsked(bar.stop, y);
    const double opens = axis_.X(stop.opens);
    svg_.Rectangle(opens, y, axis_.X(stop.closes) - opens, kBar,
                   {.fill = colour, .opacity = 0.28, .kind = "window", .hover = bar.hover});
    for (const Ticks end : {stop.opens, stop.closes}) {
      if (!axis_.Shows(end)) continue;
      svg_.Line({axis_.X(end), y}, {axis_.X(end), y + kBar}, {.stroke = colour, .width = 1.4});
    }
    const bool bad = !bar.served || bar.late;
    if (bar.served) {
      svg_.Line({bar.moment, y - 1.5}, {bar.moment, y + kBar + 1.5},
                {.stroke = bad ? kBad : kTextColour, .width = 2.2, .kind = "service"});
    } else {
      const Ink ink = {.stroke = kBad, .width = 2, .kind = "unserved"};
      svg_.Line({bar.moment - 4, y + 1.5}, {bar.moment + 4, y + kBar - 1.5}, ink);
      svg_.Line({bar.moment - 4, y + kBar - 1.5}, {bar.moment + 4, y + 1.5}, ink);
    }
    svg_.Text(bar.label + (bar.served ? 0 : 2), y + kBar - 2, words_.Label(bar.stop),
              {.size = kChartLabel, .fill = bad ? kBad : kTextColour, .kind = "label"});
  }

  void DrawVehicle(size_t vehicle, double y) {
    const GanttLayout::Row& row = layout_.vehicles()[vehicle];
    const std::string colour = LookOfVehicle(vehicle).colour;
    DrawRowFrame(y, RowHeight(row, /*drives=*/true), Cat("vehicle ", vehicle + 1), row.bars.size(),
                 colour);
    for (const GanttLayout::Bar& bar : row.bars) DrawBar(bar, y, colour);
    const double below = y + kPadding + kLane * std::max(1, row.lanes);
    DrawLoad(vehicle, below, colour);
    DrawDoing(vehicle, below + kLoad + 2, colour);
  }

  void DrawAbsent(double y) {
    const GanttLayout::Row& row = layout_.absent();
    if (row.bars.empty()) return;
    DrawRowFrame(y, RowHeight(row, /*drives=*/false), "not served", row.bars.size(), kBad);
    for (const GanttLayout::Bar& bar : row.bars) DrawBar(bar, y, kGrey);
  }

  // Draws the load as steps, scaled to the plan's highest load.
  void DrawLoad(size_t vehicle, double y, const std::string& colour) {
    const std::vector<Visit>& route = driven_.routes[vehicle];
    const double begin = axis_.X(layout_.Departure(vehicle));
    const double end = axis_.X(driven_.returns[vehicle]);
    svg_.Line({begin, y + kLoad}, {end, y + kLoad}, {.stroke = colour, .width = 0.8});
    for (size_t i = 0; i < route.size(); ++i) {
      const double left = axis_.X(route[i].start);
      const double right = i + 1 < route.size() ? axis_.X(route[i + 1].start) : end;
      const double height = std::max(0, route[i].load) * (kLoad - 2) / highest_load_;
      if (height <= 0 || right <= left) continue;
      const std::string load = Cat(route[i].load);
      svg_.Rectangle(left, y + kLoad - height, right - left, height,
                     {.fill = colour,
                      .opacity = 0.3,
                      .kind = "load",
                      .hover = Cat("vehicle ", vehicle + 1, ": load ", load, " of ",
                                   problem_.fleet.capacity)});
      if (WidthOfText(load, 8) > right - left) continue;
      svg_.Text((left + right) / 2, y + kLoad - 1.5, load,
                {.size = 8, .anchor = "middle", .fill = kTextColour});
    }
  }

  void DrawPart(int64_t from, int64_t to, double y, double height, Ink ink) {
    if (to <= from) return;
    ink.hover = Cat(ink.kind, " ", words_.Time(from), " to ", words_.Time(to));
    svg_.Rectangle(axis_.X(from), y + (kDoing - height) / 2, axis_.X(to) - axis_.X(from), height,
                   ink);
  }

  void DrawDoing(size_t vehicle, double y, const std::string& colour) {
    const Ink driving = {.fill = colour, .kind = "driving"};
    const Ink waiting = {.fill = kWaiting, .kind = "waiting"};
    const Ink serving = {.fill = "#ffffff", .stroke = colour, .width = 1.2, .kind = "serving"};
    int64_t now = layout_.Departure(vehicle);
    bool first = true;
    for (const Visit& visit : driven_.routes[vehicle]) {
      // The vehicle leaves so that it need not wait at its first stop.
      const int64_t arrival = std::exchange(first, false) ? visit.start : visit.arrival;
      DrawPart(now, arrival, y, kDoing, driving);
      DrawPart(arrival, visit.start, y, 3, waiting);
      now = int64_t{visit.start} + problem_.stops[visit.stop].service;
      DrawPart(visit.start, now, y, kDoing - 1.2, serving);
    }
    DrawPart(now, driven_.returns[vehicle], y, kDoing, driving);
  }

  void DrawLegend(double y) {
    const std::string colour = LookOfVehicle(0).colour;
    double x = kChartMargin;
    const auto name = [&](double width, const std::string& text) {
      svg_.Text(x + width + 6, y + 4, text, {.size = 11});
      x += width + 6 + WidthOfText(text, 11) + 22;
    };
    const auto sample = [&](double height, const Ink& ink, const std::string& text) {
      svg_.Rectangle(x, y - height / 2, 30, height, ink);
      name(30, text);
    };
    const auto any_stop = [&](const auto& holds) {
      return std::any_of(problem_.stops.begin(), problem_.stops.end(), holds);
    };
    sample(kDoing, {.fill = colour}, "driving");
    sample(3, {.fill = kWaiting}, "waiting");
    if (any_stop([](const Stop& stop) { return stop.service > 0; })) {
      sample(kDoing - 1.2, {.fill = "#ffffff", .stroke = colour, .width = 1.2}, "serving");
    }
    sample(14, {.fill = colour, .opacity = 0.3}, Cat("load, full height is ", highest_load_));
    for (const double end : {x, x + 30})
      svg_.Line({end, y - kBar / 2}, {end, y + kBar / 2}, {.stroke = colour, .width = 1.4});
    const Stop* first = problem_.stops.data();
    const bool shifted = any_stop([&](const Stop& stop) { return layout_.Shifted(&stop - first); });
    sample(kBar, {.fill = colour, .opacity = 0.28}, shifted ? "window agreed on" : "window");
    if (shifted) sample(kBar, AskedInk(), "window asked for");
    svg_.Line({x + 4, y - 7}, {x + 4, y + 7}, {.stroke = kTextColour, .width = 2.2});
    name(8, "service starts (red: too late)");
  }

  const Problem& problem_;
  const PictureWords words_;
  const bool clock_;
  const Simulation driven_;
  const GanttLayout layout_;
  const TimeAxis& axis_;
  const int highest_load_;
  const double bottom_;
  const std::vector<std::string> caption_;
  Svg svg_;
};

}  // namespace

std::string GanttSvg(const Problem& problem, const Plan& plan, const PictureText& text,
                     std::span<const AskedWindow> asked) {
  DRAY_CHECK(asked.empty() || asked.size() == problem.stops.size());
  return GanttPicture(problem, plan, text, asked).Draw();
}

TimeSpan TimesOf(const Problem& problem, const Plan& plan, std::span<const AskedWindow> asked) {
  const PictureWords words(problem, {});
  const Simulation driven = Simulate(problem, plan);
  const GanttLayout layout(problem, driven, words, asked, std::nullopt, kLeft, kRight, kChartLabel);
  return {layout.axis().begin(), layout.axis().end()};
}

}  // namespace dray
