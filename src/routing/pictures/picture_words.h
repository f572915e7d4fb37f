#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/routing/pictures/picture.h"

namespace dray {

// What both pictures of a plan say, in the same words.
class PictureWords {
 public:
  PictureWords(const Problem& problem, const PictureText& text);

  const std::string& title() const { return title_; }
  // A moment: "07:30", or "191.3".
  std::string Time(int64_t ticks) const;
  // A length of time: "12.5 min", or "191.3".
  std::string Span(int64_t ticks) const;
  // "P3" and "D3" for the third request's pickup and dropoff, the customer's number for a single
  // stop.
  std::string Label(int stop) const;
  // "P3, customer 12, open 07:30 to 08:00".
  std::string Describe(int stop) const;
  // The same with when it is served.
  std::string Describe(const Visit& visit) const;
  // What the whole plan comes to, and how many rules it breaks.
  std::string Summary(const Simulation& driven) const;
  // The caption that was asked for, then `note`, then the first rule that is broken.
  std::string Caption(const Simulation& driven, std::string_view note = "") const;
  // "12 stops".
  static std::string Count(size_t count, std::string_view thing);

 private:
  const Problem& problem_;
  bool clock_;
  std::string title_;
  std::string caption_;
  std::vector<int> request_of_stop_;
};

// About as wide as these letters are, in pixels.
double WidthOfText(std::string_view text, double size);

// The text in lines of at most so many pixels; words stay whole.
std::vector<std::string> WrapText(std::string_view text, double size, double width);

// How a vehicle is drawn. The colours (Okabe and Ito's, without the yellow that white drowns) can
// be told apart by the colour-blind; when they are used up, dashes tell the vehicles apart.
struct VehicleLook {
  std::string colour;
  std::string dashes;
};
VehicleLook LookOfVehicle(size_t vehicle);

}  // namespace dray
