#include "src/learn/learner_counters.h"

#include "src/base/counts.h"
#include "src/base/error.h"

namespace dray {

// The format is stored as a negative number. Format 1 has none: it begins with the version.
void LearnerCounters::Save(ByteWriter& out) const {
  out.Put(-format);
  out.Put(version);
  out.Put(updates);
}

LearnerCounters LearnerCounters::Load(ByteReader& in) {
  const auto first = in.Get<int64_t>();
  LearnerCounters counters{.format = first >= 0 ? 1 : LearnerCounters().format};
  if (first < 0 && first != -counters.format) {
    throw Failure("the learner's saved state is damaged, or written by a newer version of Dray");
  }
  counters.version = first >= 0 ? first : in.Get<int64_t>();
  counters.updates = in.Get<int64_t>();
  if (!IsCount(counters.version) || !IsCount(counters.updates)) {
    throw Failure("the learner's saved state is damaged: version ", counters.version, " after ",
                  counters.updates, " updates");
  }
  return counters;
}

}  // namespace dray
