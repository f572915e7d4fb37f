#pragma once

#include <string>
#include <string_view>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/workflow.h"

namespace dray::cage2 {

// A step as pictures show it: what was done, and what red held when it was over. Plain data.
struct Frame {
  int32_t step = 0;  // from 1
  int32_t action = 0;
  StepRecord record;
  HostMask sessions = 0;  // of whatever level
  HostMask privileged = 0;
  bool server_up = true;
  RedAgent red = RedAgent::kSleep;
  bool mends = false;  // blue's action threw red out of a host
  bool has_workflow = false;
  Compliance::Verdict verdict = Compliance::Verdict::kNotCounted;  // a workflow's, on a fix
  Order order{};

  std::string ToBytes() const;
  static Frame FromBytes(std::string_view bytes);
};

}  // namespace dray::cage2
