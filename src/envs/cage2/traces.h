#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// A recorded step: blue's action, every random outcome, and the result. `line` is its line in the
// file.
struct TraceStep {
  int line = 0;
  int step = 0;
  int blue_action = 0;
  StepRecord record;  // its reward is not set
  double reward = 0;
};

// A recorded episode.
struct Trace {
  std::string name;
  RedAgent red = RedAgent::kSleep;
  bool green = false;
  std::vector<TraceStep> steps;
  int reset_line = 0;  // 0: the file has no row for the reset
  uint64_t reset_observation = 0;
};

struct TraceFile {
  std::vector<Trace> traces;
  // Optional columns; compared only if present.
  bool has_remembered_ports = false;
  bool has_candidates = false;
};

// Parses recorded episodes from comma-separated values, with columns named in the first line:
// trace, red, green, step (0 is the reset), blue_action, red_action, red_target, red_success,
// exploit, detected, esc_session, green_scan, reward, obs_hex, red_ports, cand_mask. Throws an
// Error that names `what` and the line if the text is invalid.
TraceFile ParseTraces(std::string_view text, const std::string& what, const Network& network);
TraceFile ReadTraces(const std::string& path, const Network& network);

// Returns the value of the column red_action: DRS, DNS, EXP, PE, IMP or SLEEP.
std::string_view ShortName(RedAction action);
// Returns the value of the column red_target: a host, a subnet or an empty string.
std::string_view TargetName(const StepRecord& record, const Network& network);

}  // namespace dray::cage2
