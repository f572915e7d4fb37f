#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "src/loop/stall_watch.h"

namespace dray {

// After so long without progress, a run says which role waits for what.
inline constexpr double kStallS = 20;

// A StallWatch on a thread of its own, since whoever turns a loop may be what has stopped.
class StallAlarm {
 public:
  struct Sign {
    int64_t moves = 0;
    std::string waiting;
  };

  // `look` and `say` are called on that thread, several times in `limit_s`.
  StallAlarm(double limit_s, std::function<Sign()> look,
             std::function<void(const std::string& line)> say);
  ~StallAlarm();
  StallAlarm(const StallAlarm&) = delete;
  StallAlarm& operator=(const StallAlarm&) = delete;

 private:
  void Run(double limit_s);

  std::function<Sign()> look_;
  std::function<void(const std::string&)> say_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace dray
