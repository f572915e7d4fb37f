#pragma once

#include <cstdio>
#include <string>

namespace dray {

// Returns what printf would print, cut off after 255 bytes.
std::string Printed(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

}  // namespace dray
