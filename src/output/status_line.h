#pragma once

#include <limits>
#include <ostream>
#include <string>

namespace dray {

// Contents of the status line; NaN, 0 or empty if unknown.
struct RunStatus {
  double progress = 0;     // fraction from 0 to 1
  std::string phase = {};  // "rollout", "update 12", ...
  double steps_per_s = 0;
  double eta_s = 0;
};

// How to write to a stream.
struct TerminalStyle {
  bool is_terminal = false;  // redraw a status line in place
  bool colours = false;
  int columns = 80;
  bool verbose = false;  // print all numbers of a report, not only the most important ones

  // Detects the style of a file descriptor: whether it is a terminal, and its width. Respects
  // NO_COLOR and TERM=dumb.
  static TerminalStyle Of(int descriptor);
};

// Formats the status line, less than `columns` characters wide, without escape codes.
std::string StatusText(const RunStatus& status, int columns = std::numeric_limits<int>::max());

// A status line that is redrawn in place on a terminal; prints nothing elsewhere. The stream must
// outlive it.
class StatusLine {
 public:
  StatusLine(std::ostream& out, TerminalStyle style) : out_(out), style_(style) {}
  ~StatusLine() { Clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void Draw(const RunStatus& status);
  void Clear();
  bool drawn() const { return drawn_; }

 private:
  std::ostream& out_;
  const TerminalStyle style_;
  bool drawn_ = false;
};

}  // namespace dray
