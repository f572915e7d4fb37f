#pragma once

#include "src/base/bytes.h"

namespace dray {

// First numbers of a learner's saved state.
struct LearnerCounters {
  int64_t format = 2;
  int64_t version = 0;  // of the policy
  int64_t updates = 0;

  void Save(ByteWriter& out) const;
  // Reads any format up to the present one. Impossible numbers are an Error.
  static LearnerCounters Load(ByteReader& in);
};

}  // namespace dray
