#include "src/routing/clock_time.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace dray {
namespace {

// Parses one or two digits.
std::optional<int> ClockPart(std::string_view digits) {
  if (digits.empty() || digits.size() > 2) return {};
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

std::optional<double> ClockMinutes(std::string_view text) {
  std::array<int, 3> parts = {};  // hours, minutes, seconds
  size_t count = 0;
  for (size_t begin = 0; begin <= text.size() && count < parts.size(); ++count) {
    const size_t end = std::min(text.find(':', begin), text.size());
    const std::optional<int> part = ClockPart(text.substr(begin, end - begin));
    if (!part || (count > 0 && (*part > 59 || end - begin != 2))) return {};
    parts[count] = *part;
    begin = end + 1;
    if (count == 2 && end != text.size()) return {};
  }
  const int seconds = 3600 * parts[0] + 60 * parts[1] + parts[2];
  if (count < 2 || seconds > 24 * 3600) return {};
  return seconds / 60.0;
}

std::string ClockText(int minutes) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%02d:%02d", minutes / 60, minutes % 60);
  return text.data();
}

std::string ClockTextOfSeconds(int seconds) {
  const std::string text = ClockText(seconds / 60);
  if (seconds % 60 == 0) return text;
  std::array<char, 8> rest;
  std::snprintf(rest.data(), rest.size(), ":%02d", seconds % 60);
  return text + rest.data();
}

}  // namespace dray
