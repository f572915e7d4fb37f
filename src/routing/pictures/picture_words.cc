#include "src/routing/pictures/picture_words.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "src/base/error.h"

namespace dray {

PictureWords::PictureWords(const Problem& problem, const PictureText& text)
    : problem_(problem),
      clock_(text.clock),
      title_(text.title.empty() ? problem.name : text.title),
      caption_(text.caption),
      request_of_stop_(problem.RequestOfStop()) {}

std::string PictureWords::Time(int64_t ticks) const {
  if (!clock_) return problem_.Format(ticks);
  const long long minutes = std::abs(ticks) / problem_.ticks_per_unit;
  char text[32];
  std::snprintf(text, sizeof(text), "%s%02lld:%02lld", ticks < 0 ? "-" : "", minutes / 60,
                minutes % 60);
  return text;
}

std::string PictureWords::Span(int64_t ticks) const {
  return problem_.Format(ticks) + (clock_ ? " min" : "");
}

std::string PictureWords::Label(int stop) const {
  const int request = request_of_stop_[stop];
  if (request < 0 || !problem_.requests[request].paired())
    return Cat(problem_.numbers.empty() ? stop + 1 : problem_.numbers[stop]);
  return Cat(problem_.requests[request].pickup == stop ? "P" : "D", request + 1);
}

std::string PictureWords::Describe(int stop) const {
  return Cat(Label(stop), ", ", problem_.NameOfStop(stop), ", open ",
             Time(problem_.stops[stop].opens), " to ", Time(problem_.stops[stop].closes));
}

std::string PictureWords::Describe(const Visit& visit) const {
  return Cat(Describe(visit.stop), ", reached ", Time(visit.arrival), ", served ",
             Time(visit.start), ", load then ", visit.load);
}

std::string PictureWords::Summary(const Simulation& driven) const {
  const std::string between = " · ";
  std::string text =
      Cat(Count(problem_.requests.size(), "request"), between,
          Count(driven.cost.vehicles, "vehicle"), between, Span(driven.cost.travel), " of travel");
  if (driven.cost.extra_vehicles > 0)
    text += Cat(between, Span(driven.cost.extra_vehicles), " for extra vehicles");
  if (driven.cost.unserved > 0) text += Cat(between, driven.cost.unserved, " not served");
  if (!driven.violations.empty())
    text += Cat(between, "breaks ", Count(driven.violations.size(), "rule"));
  return text;
}

std::string PictureWords::Caption(const Simulation& driven, std::string_view note) const {
  std::string caption = caption_;
  if (!note.empty()) caption += Cat(caption.empty() ? "" : " ", note);
  if (!driven.violations.empty()) {
    caption += Cat(caption.empty() ? "" : " ", "Breaks a rule: ", driven.violations.front(), ".");
  }
  return caption;
}

std::string PictureWords::Count(size_t count, std::string_view thing) {
  return Cat(count, " ", thing, count == 1 ? "" : "s");
}

double WidthOfText(std::string_view text, double size) {
  const auto letters = std::count_if(text.begin(), text.end(),
                                     [](char c) { return (c & 0xC0) != 0x80; });  // of UTF-8
  return 0.62 * size * letters;
}

std::vector<std::string> WrapText(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && WidthOfText(line, size) + WidthOfText(word, size) + size > width)
      lines.push_back(std::exchange(line, ""));
    if (!word.empty()) line += Cat(line.empty() ? "" : " ", word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

VehicleLook LookOfVehicle(size_t vehicle) {
  static const std::array<std::string, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#000000"};
  static const std::array<std::string, 4> dashes = {"", "9 4", "2 3", "12 3 2 3"};
  return {colours[vehicle % colours.size()], dashes[vehicle / colours.size() % dashes.size()]};
}

}  // namespace dray
