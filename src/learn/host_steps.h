#pragma once

#include <memory>
#include <vector>

#include "src/base/thread_team.h"
#include "src/learn/steps.h"
#include "src/learn/thread_tuner.h"

namespace dray {

// Steps that are done one after the other by some Gradients, on a team of threads.
class HostSteps : public Steps {
 public:
  // The team, which outlives this object, is the gradients' own. With `tunes`, it is found out how
  // many of its threads are fastest; else all are used.
  HostSteps(std::unique_ptr<Gradients> gradients, ThreadTeam& team, bool tunes);

  void BeginUpdate(const Samples& samples) override {
    samples_ = &samples;
    sums_ = {};  // an update before may have been broken off
  }
  void BeginPass(std::span<int64_t> order) override;
  void Step(Part part, int64_t rows, const StepSettings& settings, Optimizer& optimizer) override;
  StepSums TakeSums() override;
  std::vector<float> Values(const NetInput& input) override { return gradients_->Values(input); }
  int64_t splits() const override { return gradients_->splits(); }
  int threads() const override { return team_.threads(); }

 private:
  std::unique_ptr<Gradients> gradients_;
  ThreadTeam& team_;
  std::vector<ThreadTuner> tuners_;  // by Part; empty: all threads
  const Samples* samples_ = nullptr;
  Samples shuffled_;
  int64_t next_ = 0;       // row of shuffled_
  int64_t most_rows_ = 0;  // of this pass's minibatches: those alone are timed
  StepSums sums_;
};

}  // namespace dray
