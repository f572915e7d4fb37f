#include "src/cluster/kept_learner.h"

#include <utility>

namespace dray {

bool KeptLearner::ShouldAsk(double now_s) const {
  return !awaited_ && share_ * (now_s - asked_s_) >= took_s_;
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
