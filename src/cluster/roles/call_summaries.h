#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace dray {

// The summaries of long calls, kept until somebody asks for them; whoever asks too early waits.
class CallSummaries {
 public:
  // Makes the call of this number and keeps its summary, or, when it throws, the message.
  void Make(int64_t call, const std::function<std::string()>& make);
  // Waits for the call; a call that threw throws the same here, and so does one that never came
  // when a later one does.
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
