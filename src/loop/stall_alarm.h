#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "src/base/condition.h"
#include "src/loop/stall_watch.h"

namespace dray {

// Time without progress after which a run reports which role waits for what.
inline constexpr double kStallS = 20;

// Runs a StallWatch on its own thread, since the thread of the loop may be the one that is stuck.
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
