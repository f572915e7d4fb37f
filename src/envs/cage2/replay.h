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

// Returns text such as "trace 3, step 17 (line 320): reward is -1.0 in the file, -0.1 in the game".
std::string TextOf(const Mismatch& mismatch);

struct ReplayReport {
  int64_t episodes = 0;
  int64_t steps = 0;
  int64_t mismatches = 0;  // number of differing values
  std::vector<Mismatch> first;
};

// Replays recorded episodes with blue's actions and the random outcomes of the record, and compares
// all other values. Green is on where the record says so; the network is that of the rules.
ReplayReport Replay(const TraceFile& file, Rules rules, int mismatches_kept = 10);

}  // namespace dray::cage2
