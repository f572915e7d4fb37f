#pragma once

#include <string>

#include "src/base/json.h"

namespace dray {

// Who was evaluated.
struct EvaluatedPolicy {
  std::string name;  // "epoch 40 of runs/first/...", or a scripted policy
  Json json;         // members that a report begins with
};

}  // namespace dray
