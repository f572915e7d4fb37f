#include "src/loop/stall_watch.h"

#include "src/base/error.h"
#include "src/output/format.h"

namespace dray {

std::string StallWatch::Look(double now_s, int64_t moves, const std::string& waiting) {
  if (!looked_ || moves != moves_) {
    const bool told = looked_ && next_s_ > limit_s_;
    const double stood_s = now_s - moved_s_;
    looked_ = true;
    moves_ = moves;
    moved_s_ = now_s;
    next_s_ = limit_s_;
    return told ? Cat("It moves again, after ", FormatDuration(stood_s)) : "";
  }
  const double stood_s = now_s - moved_s_;
  if (stood_s < next_s_) return "";
  next_s_ = 3 * stood_s;
  return Cat("No progress for ", FormatDuration(stood_s), ": ", waiting);
}

}  // namespace dray
