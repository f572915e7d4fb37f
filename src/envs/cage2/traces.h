#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// One recorded step: blue's action, every outcome of chance, and what came of it. `line` is where
// it stands in its file.
struct TraceStep {
  int line = 0;
  int step = 0;
  int blue_action = 0;
  StepRecord record;  // its reward is in `reward`
  double reward = 0;
};

// One recorded episode.
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
  // Columns that a file may lack; they are then not compared.
  bool has_remembered_ports = false;
  bool has_candidates = false;
};

// Recorded episodes as comma-separated values, with columns found by the names in the first line:
// trace, red, green, step (0 is the reset), blue_action, red_action, red_target, red_success,
// exploit, detected, esc_session, green_scan, reward, obs_hex, red_ports, cand_mask. What cannot be
// read is an Error that names `what` and the line.
TraceFile ParseTraces(std::string_view text, const std::string& what, const Network& network);
TraceFile ReadTraces(const std::string& path, const Network& network);

// As the column red_action has it: DRS, DNS, EXP, PE, IMP, SLEEP.
std::string_view ShortName(RedAction action);
// As the column red_target has it: a host, a subnet or nothing.
std::string_view TargetName(const StepRecord& record, const Network& network);

}  // namespace dray::cage2
