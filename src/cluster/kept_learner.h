#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace dray {

// The newest learner state in the memory of a runner, for a replacement if the learner is lost, and
// the decision when to request a newer one. Times are seconds of any monotonic clock.
class KeptLearner {
 public:
  struct State {
    int64_t updates = 0;  // see LearnerRestored
    int64_t batches = 0;
    std::string bytes;  // Learner::Save; empty: initial state
  };

  // `share` is the share of the time that fetching states may take, above 0.
  explicit KeptLearner(double share) : share_(share) {}

  // Called after an update. Returns whether to request its state.
  bool ShouldAsk(double now_s) const;
  void Asked(double now_s);
  // Called with the requested state.
  void OnAnswer(double now_s, State state);
  // Called if there will be no answer.
  void GiveUp() { awaited_ = false; }

  // Sets a newer state that was obtained in another way.
  void Set(State state) { state_ = std::move(state); }
  const State& state() const { return state_; }

 private:
  double share_;
  State state_;
  bool awaited_ = false;
  double asked_s_ = 0;
  double took_s_ = 0;  // duration of the last request
};

}  // namespace dray
