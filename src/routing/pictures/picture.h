#pragma once

#include <span>
#include <string>

#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray {

// Pictures of plans, as SVG documents that need nothing else. Any plan can be drawn, one that
// breaks rules too: the picture says so.

// What a picture says beside the plan, and how.
struct PictureText {
  std::string title = "";    // empty: the problem's name
  std::string caption = "";  // below the picture; empty: none
  // The problem's unit is a minute and its times are those of a day: 07:30, "12.5 min". Otherwise
  // times are plain numbers.
  bool clock = false;
};

// The window that a stop had before another was agreed on.
struct AskedWindow {
  Ticks opens = 0;
  Ticks closes = 0;
};

// The routes on the map: the depot a square, pickups and single stops filled, dropoffs rings, what
// is not served a cross; a colour for each vehicle. Places without points are laid out by their
// travel times, and the caption says so.
std::string RoutesSvg(const Problem& problem, const Plan& plan, const PictureText& text);

// Who is where when: for each vehicle what it does and carries, for each stop its window and when
// its service starts. `asked`, by stop, is drawn in a lighter shade where it differs from the
// problem's window; empty: nobody was shifted. A vehicle is drawn leaving the depot as late as its
// first stop allows.
std::string GanttSvg(const Problem& problem, const Plan& plan, const PictureText& text,
                     std::span<const AskedWindow> asked = {});

struct PicturePaths {
  std::string routes;
  std::string gantt;
};

// Writes FOLDER/NAME_routes.svg and FOLDER/NAME_gantt.svg, the folder too if it is not there, so
// that a reader never finds a part. An Error that names --render when that cannot be done.
PicturePaths WritePictures(const std::string& folder, const std::string& name,
                           const Problem& problem, const Plan& plan, const PictureText& text,
                           std::span<const AskedWindow> asked = {});

}  // namespace dray
