#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Pictures of plans, as self-contained SVG documents. Every plan can be drawn, including infeasible
// ones; the picture says so.

struct TimeSpan {
  int64_t begin = 0;
  int64_t end = 0;
};

// Texts of a picture, and the scale of its clock.
struct PictureText {
  std::string title = "";    // empty: the problem's name
  std::string caption = "";  // text below the picture; empty: none
  // If true, the problem's unit is a minute and times are times of day: 07:30, "12.5 min".
  // Otherwise times are plain numbers.
  bool clock = false;
  // Times that the schedule shows at least, so that several have one scale.
  std::optional<TimeSpan> times = std::nullopt;
};

// The window that a stop asked for before another one was agreed on.
struct AskedWindow {
  Ticks opens = 0;
  Ticks closes = 0;
};

// Draws the routes on a map: the depot as a square, pickups and single stops filled, dropoffs as
// rings, unserved stops as crosses, with one colour per vehicle. Places without coordinates are
// laid out by their travel times, and the caption says so.
std::string RoutesSvg(const Problem& problem, const Plan& plan, const PictureText& text);

// Draws the schedule: for each vehicle what it does and carries, for each stop its window and when
// its service starts. `asked`, indexed by stop, is drawn in a lighter shade where it differs from
// the problem's window; empty: nobody was shifted. Vehicles leave the depot as late as their first
// stop allows.
std::string GanttSvg(const Problem& problem, const Plan& plan, const PictureText& text,
                     std::span<const AskedWindow> asked = {});

// Returns the times that a schedule shows.
TimeSpan TimesOf(const Problem& problem, const Plan& plan, std::span<const AskedWindow> asked = {});

struct PicturePaths {
  std::string routes;
  std::string gantt;
};

// Writes FOLDER/NAME_routes.svg and FOLDER/NAME_gantt.svg atomically, creating the folder if
// needed. Throws an Error that names --render if that fails.
PicturePaths WritePictures(const std::string& folder, const std::string& name,
                           const Problem& problem, const Plan& plan, const PictureText& text,
                           std::span<const AskedWindow> asked = {});

}  // namespace dray
