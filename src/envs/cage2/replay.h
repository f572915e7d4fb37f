#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/traces.h"

namespace dray::cage2 {

struct Mismatch {
  std::string trace;
  int line = 0;
  int step = 0;
  std::string column;
  std::string expected;
  std::string got;
};

// "trace 3, step 17 (line 320): reward is -1.0 in the file, -0.1 in the game"
std::string TextOf(const Mismatch& mismatch);

struct ReplayReport {
  int64_t episodes = 0;
  int64_t steps = 0;
  int64_t mismatches = 0;  // values that differ
  std::vector<Mismatch> first;
};

// Plays recorded episodes once more, with blue's actions and the outcomes of chance from the
// record, and compares all else, value by value. Green is on where it was on in the record, the
// network is that of the rules.
ReplayReport Replay(const TraceFile& file, Rules rules, int mismatches_kept = 10);

}  // namespace dray::cage2
