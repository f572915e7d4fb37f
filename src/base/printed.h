#pragma once

#include <cstdio>
#include <string>

namespace dray {

// What printf would print, of up to 255 bytes.
std::string Printed(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

}  // namespace dray
