#pragma once

#include <string>

#include "src/base/json.h"

namespace dray {

// The policy that was evaluated.
struct EvaluatedPolicy {
  std::string name;  // "epoch 40 of runs/first/...", or a scripted policy
  Json json;         // first members of the report
};

}  // namespace dray
