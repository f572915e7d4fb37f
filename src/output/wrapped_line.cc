#include "src/output/wrapped_line.h"

#include <limits>

namespace dray {
namespace {

constexpr std::string_view kDot = " · ";

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\x1b') escape = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!escape && !continues) ++width;
    if (c == 'm') escape = false;
  }
  return width;
}

std::string WrappedLine::text() const {
  const auto lines = Wrapped(std::numeric_limits<size_t>::max(), "", "");
  return lines.empty() ? "" : lines.front();
}

std::vector<std::string> WrappedLine::Wrapped(size_t columns, std::string_view first,
                                              std::string_view rest) const {
  std::vector<std::string> lines;
  size_t width = 0;
  for (const std::string& part : parts_) {
    const size_t wanted = DisplayWidth(kDot) + DisplayWidth(part);
    if (!lines.empty() && wanted <= columns && width <= columns - wanted) {
      lines.back() += kDot;
    } else {
      lines.emplace_back(lines.empty() ? first : rest);
    }
    lines.back() += part;
    width = DisplayWidth(lines.back());
  }
  return lines;
}

}  // namespace dray
