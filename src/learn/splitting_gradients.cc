#include "src/learn/splitting_gradients.h"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <new>

#include "src/base/error.h"
#include "src/learn/ppo_loss.h"

namespace dray {
namespace {

// Of a part, as much as it adds to the means of the whole.
PolicyStats Weighted(PolicyStats stats, double weight) {
  stats.loss *= weight;
  stats.entropy *= weight;
  stats.kl_k1 *= weight;
  stats.kl_k3 *= weight;
  stats.clip_fraction *= weight;
  stats.appraisal_loss *= weight;
  return stats;
}

}  // namespace

template <typename Call>
bool SplittingGradients::Fits(int64_t rows, Limit& limit, const Call& call) {
  try {
    call();
    return true;
  } catch (const c10::OutOfMemoryError&) {
  } catch (const std::bad_alloc&) {
  }
  if (rows == 1) {
    throw Failure(
        "the learner ran out of memory on a single sample: use a smaller network, or a "
        "device with more memory");
  }
  limit.rows = (rows + 1) / 2;
  ++splits_;
  return false;
}

template <typename Call>
void SplittingGradients::InParts(const Minibatch& minibatch, Limit& limit,
                                 const at::Tensor& gradients, const Call& call) {
  const c10::NoGradGuard no_grad;
  at::Tensor sum;
  for (int64_t done = 0; done < minibatch.rows;) {
    const int64_t rows = std::min(limit.rows, minibatch.rows - done);
    const double weight = static_cast<double>(rows) / static_cast<double>(minibatch.rows);
    const bool fits = Fits(rows, limit, [&] {
      if (!sum.defined()) sum = at::zeros_like(gradients);
      const c10::AutoGradMode with_grad(true);
      call(done, rows, weight);
    });
    if (!fits) continue;
    sum.add_(gradients, weight);
    done += rows;
  }
  gradients.copy_(sum);
}

PolicyStats SplittingGradients::Policy(const Minibatch& minibatch, const LossSettings& settings) {
  PolicyStats stats;
  if (minibatch.rows <= policy_limit_.rows &&
      Fits(minibatch.rows, policy_limit_, [&] { stats = inner_->Policy(minibatch, settings); })) {
    return stats;
  }
  // Mean and deviation are those of the whole minibatch.
  Samples whole = minibatch.samples.Slice(minibatch.start, minibatch.rows);
  LossSettings part_settings = settings;
  if (settings.normalize_advantages) {
    whole.advantages = NormalizedAdvantages(whole.advantages);
    part_settings.normalize_advantages = false;
  }
  stats = {};
  InParts(minibatch, policy_limit_, nets_.gradients().narrow(0, 0, nets_.actor_parameter_count()),
          [&](int64_t start, int64_t rows, double weight) {
            stats += Weighted(inner_->Policy({whole, start, rows}, part_settings), weight);
          });
  return stats;
}

double SplittingGradients::Value(const Minibatch& minibatch, const LossSettings& settings,
                                 double scale) {
  double loss = 0;
  if (minibatch.rows <= value_limit_.rows && Fits(minibatch.rows, value_limit_, [&] {
        loss = inner_->Value(minibatch, settings, scale);
      })) {
    return loss;
  }
  loss = 0;
  const int64_t actor = nets_.actor_parameter_count();
  const int64_t critic = nets_.gradients().numel() - actor;
  InParts(minibatch, value_limit_, nets_.gradients().narrow(0, actor, critic),
          [&](int64_t start, int64_t rows, double weight) {
            const Minibatch part{minibatch.samples, minibatch.start + start, rows};
            loss += weight * inner_->Value(part, settings, scale);
          });
  return loss;
}

}  // namespace dray
