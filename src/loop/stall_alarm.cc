#include "src/loop/stall_alarm.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "src/base/stopwatch.h"

namespace dray {

StallAlarm::StallAlarm(double limit_s, std::function<Sign()> look,
                       std::function<void(const std::string& line)> say)
    : look_(std::move(look)), say_(std::move(say)), thread_([this, limit_s] { Run(limit_s); }) {}

StallAlarm::~StallAlarm() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void StallAlarm::Run(double limit_s) {
  const std::chrono::duration<double> pause(std::min(1.0, limit_s / 10));
  const Stopwatch clock;
  StallWatch watch(limit_s);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, pause, [this] { return end_; })) {
    lock.unlock();
    const Sign sign = look_();
    if (const std::string line = watch.Look(clock.seconds(), sign.moves, sign.waiting);
        !line.empty()) {
      say_(line);
    }
    lock.lock();
  }
}

}  // namespace dray
