#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "src/learn/gradients.h"
#include "src/nets/actor_critic.h"

namespace dray {

// Wraps gradients that may run out of memory: a minibatch that does not fit is computed in two
// parts, then four, and so on, whose gradients add up to those of the whole, to rounding. The
// smaller size is kept from then on; a single row that does not fit is an Error.
class SplittingGradients : public Gradients {
 public:
  // `inner` computes gradients of the same networks. Each of its calls must overwrite all gradients
  // of its network.
  SplittingGradients(ActorCritic& nets, std::unique_ptr<Gradients> inner)
      : nets_(nets), inner_(std::move(inner)) {}

  LossTerms Policy(const Minibatch& minibatch, const LossSettings& settings) override;
  double Value(const Minibatch& minibatch, const LossSettings& settings, double scale) override;
  std::vector<float> Values(const NetInput& input) override;
  int64_t splits() const override { return splits_; }

 private:
  // Largest part known to fit. Actor and critic have one each, since they differ in size, and so do
  // values without gradients.
  struct Limit {
    int64_t rows = std::numeric_limits<int64_t>::max();
    int64_t unit = 1;  // parts are multiples of it: whole sequences
  };
  // Calls call(start, rows, weight) for the parts of the minibatch in order, and again with fewer
  // rows when memory ran out. `gradients` end as the mean of the parts, weighted by rows.
  template <typename Call>
  void InParts(const Minibatch& minibatch, Limit& limit, const at::Tensor& gradients,
               const Call& call);
  // Returns false, with a lower limit, if memory ran out.
  template <typename Call>
  bool Fits(int64_t rows, Limit& limit, const Call& call);

  ActorCritic& nets_;
  std::unique_ptr<Gradients> inner_;
  Limit policy_limit_;
  Limit value_limit_;
  Limit values_limit_;
  int64_t splits_ = 0;
};

}  // namespace dray
