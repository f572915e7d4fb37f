#pragma once

#include <cstdint>
#include <string>

namespace dray {

enum class Divergence : int32_t {
  kNone = 0,
  kKl,          // the policy jumped
  kValue,       // the critic promises more than rewards can add up to
  kNotNumbers,  // a loss, gradient or weight is not finite
};

// Results of an update that show whether training diverges.
struct UpdateSigns {
  double kl = 0;          // mean over minibatches
  double most_value = 0;  // largest magnitude of a state's value
  double most_reward = 0;
  bool numbers = true;  // losses and weights are finite and of a sane size
};

// Watches updates. A single one that looks bad may be chance; kPatience in a row are divergence,
// and so is one with a number that is not finite.
class DivergenceWatch {
 public:
  static constexpr int kPatience = 5;

  // Rewards add up over at most `max_episode_steps`, or over 1 / (1 - gamma) steps if that is
  // fewer.
  DivergenceWatch(double gamma, int max_episode_steps);

  // Returns what looks bad about the update.
  Divergence See(const UpdateSigns& signs);
  bool diverged() const { return diverged_; }
  // Largest value of a state that is believed, given the largest reward so far.
  double most_credible_value() const;
  // Starts counting anew, after the policy was restored.
  void Forget();

 private:
  double horizon_;
  double most_reward_ = 0;
  int in_a_row_ = 0;
  bool diverged_ = false;
};

// Describes it in words; empty for kNone.
std::string Describe(Divergence divergence, const UpdateSigns& signs, double most_credible_value);

}  // namespace dray
