#pragma once

#include <ostream>
#include <string>

namespace dray {

// What the status line says; what is not known is NaN, 0 or empty.
struct RunStatus {
  double progress = 0;     // from 0 to 1
  std::string phase = {};  // "rollout", "update 12", ...
  double steps_per_s = 0;
  double eta_s = 0;
};

// How to write to a stream.
struct TerminalStyle {
  bool is_terminal = false;  // redraw a status line in place
  bool colours = false;
  int columns = 80;
  bool verbose = false;  // all numbers of a report, not the most important ones alone

  // As a file descriptor is: a terminal or not, its width, NO_COLOR and TERM=dumb heeded.
  static TerminalStyle Of(int descriptor);
};

// The status line, not wider than `columns`, without escape codes.
std::string StatusText(const RunStatus& status, int columns);

// One that is redrawn in place, on a terminal; nothing elsewhere. The stream outlives it.
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
