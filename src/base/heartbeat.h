#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace dray {

// What somebody is at, and that they are still moving, for whoever watches from another thread.
class Heartbeat {
 public:
  // `phase` is a literal.
  void Beat(const char* phase) {
    phase_.store(phase, std::memory_order_relaxed);
    beats_.fetch_add(1, std::memory_order_relaxed);
  }

  std::string phase() const { return phase_.load(std::memory_order_relaxed); }
  int64_t beats() const { return beats_.load(std::memory_order_relaxed); }

 private:
  std::atomic<const char*> phase_ = "resting";
  std::atomic<int64_t> beats_ = 0;
};

}  // namespace dray
