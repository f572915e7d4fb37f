#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/learn/divergence.h"
#include "src/metrics/report.h"

namespace dray {

// Results of one update.
struct UpdateReport {
  int64_t version = 0;  // version of the policy after the update
  // Numbers measured during the update. A new one needs a row in metrics/table.cc, which says how
  // several updates are combined, and a Record call.
  Report metrics;
  double merge_s = 0, learn_s = 0;
  double published_unix_s = 0;  // time the new weights were sent; 0 if unknown
  UpdateSigns signs;
  Divergence divergence = Divergence::kNone;
  double most_credible_value = 0;
  bool restored = false;  // the policy was reset to that of the last good update

  std::string ToBytes() const;
  // Throws an Error if the bytes are damaged.
  static UpdateReport FromBytes(std::string_view bytes);
};

}  // namespace dray
