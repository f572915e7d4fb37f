#pragma once

#include <cstdint>

#include "src/base/bytes.h"
#include "src/base/error.h"

namespace dray {

// The time limit of an episode.
class EpisodeClock {
 public:
  explicit EpisodeClock(int32_t max_steps) : max_steps_(max_steps) { DRAY_CHECK_GE(max_steps, 1); }

  void Restart() { steps_ = 0; }
  // Counts a step; returns true if the limit is reached and the episode must be truncated.
  bool Tick() { return ++steps_ >= max_steps_; }
  int32_t steps() const { return steps_; }

  void Save(ByteWriter& out) const { out.Put(steps_); }
  void Load(ByteReader& in) {
    const auto steps = in.Get<int32_t>();
    if (steps < 0 || steps > max_steps_) {
      throw Failure("a saved episode is at step ", steps, ", outside of 0 ... ", max_steps_,
                    ": it is damaged, or max_steps was lowered since");
    }
    steps_ = steps;
  }

 private:
  int32_t max_steps_;
  int32_t steps_ = 0;
};

}  // namespace dray
