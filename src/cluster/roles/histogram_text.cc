#include "src/cluster/roles/histogram_text.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "src/base/error.h"
#include "src/output/format.h"

namespace dray {
namespace {

// Where the bars of the histogram begin: 1, then steps of four times, and one for the limit alone.
std::map<int64_t, double> EmptyBars(int64_t largest, int64_t limit) {
  std::map<int64_t, double> bars{{1, 0}};
  for (int64_t begin = 2; begin <= largest; begin *= 4) {
    bars[begin] = 0;
    if (begin > largest / 4) break;  // the next would be beyond it, or beyond all numbers
  }
  if (limit > 0 && limit <= largest) bars[limit] = 0;
  if (limit > 0 && limit < largest) bars[limit + 1] = 0;
  return bars;
}

}  // namespace

std::string HistogramText(std::string_view actor, const HeartbeatReply& beat) {
  const int sizes = std::min(beat.batch_size_size(), beat.batch_count_size());
  if (sizes == 0) return Cat(actor, ": no calls yet");
  const int64_t largest = *std::ranges::max_element(beat.batch_size());
  std::map<int64_t, double> bars = EmptyBars(largest, beat.limit());
  double batches = 0;
  for (int i = 0; i < sizes; ++i) {
    if (beat.batch_size(i) < 1) continue;
    std::prev(bars.upper_bound(beat.batch_size(i)))->second += beat.batch_count(i);
    batches += beat.batch_count(i);
  }
  std::string text = Cat(actor, ": ", FormatCounted(beat.calls(), "call"), ", ",
                         FormatCounted(beat.problems(), "problem"));
  const char* before = ", batches of ";
  for (auto bar = bars.begin(); bar != bars.end(); ++bar) {
    if (bar->second == 0) continue;
    const auto next = std::next(bar);
    const int64_t end = next == bars.end() ? largest : std::min(largest, next->first - 1);
    text += Cat(before, FormatCount(bar->first));
    if (end > bar->first) text += Cat("-", FormatCount(end));
    text += Cat(": ", FormatPercent(bar->second / batches));
    before = ", ";
  }
  if (beat.splits() > 0) {
    text += Cat(", ", FormatCounted(beat.splits(), "batch", "batches"),
                " split for lack of memory, now ", FormatCount(beat.limit()), " at most");
  }
  return text;
}

}  // namespace dray
