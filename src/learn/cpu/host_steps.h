#pragma once

#include <memory>
#include <vector>

#include "src/base/thread_team.h"
#include "src/learn/cpu/thread_tuner.h"
#include "src/learn/gradient_signal.h"
#include "src/learn/steps.h"
#include "src/nets/actor_critic.h"

namespace dray {

// Takes steps one after the other with some Gradients, on a team of threads.
class HostSteps : public Steps {
 public:
  // Networks and team must outlive this object; both are those that the gradients use. With
  // `tunes`, the number of threads that is fastest is measured; else all are used.
  HostSteps(const ActorCritic& nets, std::unique_ptr<Gradients> gradients, ThreadTeam& team,
            bool tunes);

  void BeginUpdate(const Samples& samples) override {
    samples_ = &samples;
    // The previous update may have failed.
    sums_ = {};
    signal_.Clear();
  }
  void BeginPass(std::span<int64_t> order, int64_t minibatch) override;
  void Step(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer) override;
  StepSums TakeSums() override;
  double TakeSignal() override { return signal_.TakeShare(); }
  std::vector<float> Values(const NetInput& input) override { return gradients_->Values(input); }
  int64_t splits() const override { return gradients_->splits(); }
  int threads() const override { return team_.threads(); }

 private:
  at::Tensor actor_gradients_;
  GradientSignal signal_;
  std::unique_ptr<Gradients> gradients_;
  ThreadTeam& team_;
  std::vector<ThreadTuner> tuners_;  // one per Part; empty: all threads are used
  const Samples* samples_ = nullptr;
  Samples shuffled_;
  int64_t next_ = 0;       // next row of shuffled_
  int64_t minibatch_ = 0;  // rows of the pass's full minibatches, the only ones to be timed
  StepSums sums_;
};

}  // namespace dray
