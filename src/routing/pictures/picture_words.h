#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/pictures/picture.h"

namespace dray {

// Texts that both pictures of a plan share.
class PictureWords {
 public:
  PictureWords(const Problem& problem, const PictureText& text);

  const std::string& title() const { return title_; }
  // Formats a point in time: "07:30", or "191.3".
  std::string Time(int64_t ticks) const;
  // Formats a duration: "12.5 min", or "191.3".
  std::string Span(int64_t ticks) const;
  // Returns "P3" and "D3" for the third request's pickup and dropoff, or the customer's number for
  // a single stop.
  std::string Label(int stop) const;
  // Describes a stop: "P3, customer 12, open 07:30 to 08:00".
  std::string Describe(int stop) const;
  // Describes a stop and when it is served.
  std::string Describe(const Visit& visit) const;
  // Summarises the whole plan, including the number of broken rules.
  std::string Summary(const Simulation& driven) const;
  // Returns the requested caption, then `note`, then the first broken rule.
  std::string Caption(const Simulation& driven, std::string_view note = "") const;
  // Formats a count: "12 stops".
  static std::string Count(size_t count, std::string_view thing);

 private:
  const Problem& problem_;
  bool clock_;
  std::string title_;
  std::string caption_;
  std::vector<int> request_of_stop_;
};

// Estimates the width of text in pixels.
double WidthOfText(std::string_view text, double size);

// Wraps text into lines of at most `width` pixels without breaking words.
std::vector<std::string> WrapText(std::string_view text, double size, double width);

// How a vehicle is drawn. The colours (Okabe and Ito's, without yellow, which is invisible on
// white) can be told apart by the colour-blind; when they run out, dashes distinguish the vehicles.
struct VehicleLook {
  std::string colour;
  std::string dashes;
};
VehicleLook LookOfVehicle(size_t vehicle);

}  // namespace dray
