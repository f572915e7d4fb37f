#include "src/cluster/kept_learner.h"

#include <utility>

namespace dray {

bool KeptLearner::OnUpdate(double now_s) {
  const double update_s = now_s - std::exchange(updated_s_, now_s);
  if (awaited_) return false;
  return update_s > took_s_ || now_s - asked_s_ > 10 * took_s_;
}

void KeptLearner::Asked(double now_s) {
  awaited_ = true;
  asked_s_ = now_s;
}

void KeptLearner::OnAnswer(double now_s, State state) {
  awaited_ = false;
  took_s_ = now_s - asked_s_;
  state_ = std::move(state);
}

}  // namespace dray
