#pragma once

#include <cstdint>
#include <string>

namespace dray {

// Says when a run has stopped moving: once after `limit_s`, then ever more rarely, and once when it
// moves again. Times are seconds of any clock that only grows.
class StallWatch {
 public:
  explicit StallWatch(double limit_s) : limit_s_(limit_s) {}

  // A look at the run: `moves` differs from that of the last look when something has moved, and
  // `waiting` says who waits for what. Returns a line for a person; empty: there is nothing to say.
  std::string Look(double now_s, int64_t moves, const std::string& waiting);

 private:
  const double limit_s_;
  bool looked_ = false;
  int64_t moves_ = 0;
  double moved_s_ = 0;  // when it last moved
  double next_s_ = 0;   // how long it must stand for the next line
};

}  // namespace dray
