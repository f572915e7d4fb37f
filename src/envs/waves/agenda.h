#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/envs/waves/day.h"
#include "src/envs/waves/sketch.h"

namespace dray::waves {

// The decisions of an epoch: open requests that may wait are decided one after the other, those
// that can wait the fewest epochs first. Requests that must go are dispatched without a decision.
class Agenda {
 public:
  // The day is not done.
  explicit Agenda(const Day& day);

  bool finished() const { return decided() == std::ssize(waiting_); }
  int decided() const { return static_cast<int>(actions_.size()); }
  // Request to decide; not if finished.
  const Request& next() const { return waiting_[decided()]; }
  void Decide(bool dispatch);

  // Requests decided so far: true if dispatched. In the order of the decisions.
  const std::vector<uint8_t>& actions() const { return actions_; }
  std::span<const Request> dispatched() const { return dispatched_; }
  std::span<const Request> held() const { return held_; }
  // Requests that are not decided, except next().
  std::span<const Request> later() const;
  // Routes of the dispatched requests, by cheapest insertion.
  const Sketch& sketch() const { return sketch_; }

 private:
  std::vector<Request> waiting_;
  std::vector<uint8_t> actions_;
  std::vector<Request> dispatched_;
  std::vector<Request> held_;
  Sketch sketch_;
};

// Returns how many further epochs a request can wait.
int EpochsToWait(const Instance& instance, const Request& request, int epoch);

}  // namespace dray::waves
