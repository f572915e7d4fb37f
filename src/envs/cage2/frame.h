#pragma once

#include <string>
#include <string_view>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/rules.h"
#include "src/envs/cage2/workflow.h"

namespace dray::cage2 {

// A step as shown in pictures: the actions, and the hosts red held afterwards. Plain data.
struct Frame {
  int32_t step = 0;  // first step is 1
  int32_t action = 0;
  StepRecord record;
  HostMask sessions = 0;  // hosts with a session of any level
  HostMask privileged = 0;
  bool server_up = true;
  RedAgent red = RedAgent::kSleep;
  bool mends = false;  // blue's action threw red out of a host
  bool has_workflow = false;
  Compliance::Verdict verdict =
      Compliance::Verdict::kNotCounted;  // judgement of a fix under a workflow
  Order order{};

  std::string ToBytes() const;
  static Frame FromBytes(std::string_view bytes);
};

}  // namespace dray::cage2
