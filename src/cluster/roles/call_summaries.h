#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "src/base/condition.h"

namespace dray {

// Summaries of long calls, kept until they are requested; an early request waits.
class CallSummaries {
 public:
  // Makes the call of this number and keeps its summary, or the message if it throws.
  void Make(int64_t call, const std::function<std::string()>& make);
  // Waits for the call and returns its summary. Throws the message of a call that threw; also
  // throws if the call never came and a later one did.
  std::string Take(int64_t call);

 private:
  struct Outcome {
    std::string summary;
    std::string error;  // empty: none
  };
  void Keep(int64_t call, Outcome outcome);

  std::mutex mutex_;
  std::condition_variable kept_;
  int64_t newest_ = -1;
  std::map<int64_t, Outcome> outcomes_;
};

}  // namespace dray
