#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace dray {

// Publishes a worker's current phase and progress to a watching thread.
class Heartbeat {
 public:
  // `phase` must be a string literal.
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
