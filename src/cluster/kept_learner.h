#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace dray {

// The newest state of the learner that a runner has in its own memory, for the learner's
// replacement should it be lost; and when to ask for another. Times are seconds of any clock that
// only grows.
class KeptLearner {
 public:
  struct State {
    int64_t updates = 0;  // as LearnerRestored has them
    int64_t batches = 0;
    std::string bytes;  // Learner::Save; empty: a learner at its beginning
  };

  // An update is done. Whether to ask for its state: always, when it takes longer from update to
  // update than to bring a state here, else for a tenth of the time at most.
  bool OnUpdate(double now_s);
  void Asked(double now_s);
  // The answer to that.
  void OnAnswer(double now_s, State state);
  // There will be none.
  void GiveUp() { awaited_ = false; }

  // A state that came by another way, newer than what is kept.
  void Set(State state) { state_ = std::move(state); }
  const State& state() const { return state_; }

 private:
  State state_;
  bool awaited_ = false;
  double updated_s_ = 0;  // when the last update was done
  double asked_s_ = 0;
  double took_s_ = 0;  // from asking to the answer, last time
};

}  // namespace dray
