#pragma once

#include <cstdint>
#include <string>

namespace dray {

// Reports that a run makes no progress: once after `limit_s`, then ever more rarely, and once when
// it moves again. Times are seconds of any monotonic clock.
class StallWatch {
 public:
  explicit StallWatch(double limit_s) : limit_s_(limit_s) {}

  // Looks at the run: `moves` differs from the last look if something has moved, and `waiting` says
  // who waits for what. Returns a line for a person; empty: nothing to report.
  std::string Look(double now_s, int64_t moves, const std::string& waiting);

 private:
  const double limit_s_;
  bool looked_ = false;
  int64_t moves_ = 0;
  double moved_s_ = 0;  // time of the last move
  double next_s_ = 0;   // time without a move until the next line
};

}  // namespace dray
