#include "src/output/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "src/base/error.h"
#include "src/output/format.h"
#include "src/output/paint.h"
#include "src/output/wrapped_line.h"

namespace dray {
namespace {

constexpr int kBarWidth = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string Bar(double progress, int width) {
  const int filled = std::lround(progress * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

// Returns the first `count` characters of UTF-8 text.
std::string FirstCharacters(const std::string& text, int count) {
  size_t end = 0;
  while (end < text.size() && count > 0) {
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
    --count;
  }
  return text.substr(0, end);
}

}  // namespace

TerminalStyle TerminalStyle::Of(int descriptor) {
  TerminalStyle style;
  const char* term = std::getenv("TERM");
  style.is_terminal =
      ::isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
  const char* no_color = std::getenv("NO_COLOR");
  style.colours = style.is_terminal && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.columns = size.ws_col;
  return style;
}

std::string StatusText(const RunStatus& status, int columns) {
  const double progress =
      std::isfinite(status.progress) ? std::clamp(status.progress, 0.0, 1.0) : 0;
  // Rounded down, so that 100% means done.
  std::string text = Cat(" ", std::floor(100 * progress), "%");
  if (!status.phase.empty()) text += " · " + status.phase;
  if (status.steps_per_s > 0) text += Cat(" · ", FormatFixed(status.steps_per_s, 0), " steps/s");
  if (status.eta_s > 0) text += " · " + FormatEta(status.eta_s);
  // The bar takes what the words leave.
  const int words = static_cast<int>(DisplayWidth(text));
  const int width = std::clamp(columns - 1 - words, 0, kBarWidth);
  return FirstCharacters(Bar(progress, width) + text, columns - 1);
}

void StatusLine::Draw(const RunStatus& status) {
  if (!style_.is_terminal) return;
  drawn_ = true;
  const Paint paint(style_.colours);
  out_ << kClearLine << paint.Faint(StatusText(status, style_.columns)) << std::flush;
}

void StatusLine::Clear() {
  if (!drawn_) return;
  out_ << kClearLine << std::flush;
  drawn_ = false;
}

}  // namespace dray
