#pragma once

#include <cstdint>
#include <string>

namespace dray {

enum class Divergence : int32_t {
  kNone = 0,
  kKl,          // the policy jumped
  kValue,       // the critic promises what rewards cannot add up to
  kNotNumbers,  // a loss, gradient or weight is not finite
};

// What an update came to, as far as it tells whether learning goes astray.
struct UpdateSigns {
  double kl = 0;          // mean over minibatches
  double most_value = 0;  // largest magnitude of a state's value
  double most_reward = 0;
  bool numbers = true;  // losses and weights are finite and of a sane size
};

// Watches updates. One that looks bad may be chance; kPatience of them in a row are divergence, and
// so is a single one whose numbers are none.
class DivergenceWatch {
 public:
  static constexpr int kPatience = 5;

  // Rewards add up over at most `max_episode_steps`, or over 1 / (1 - gamma) of them.
  DivergenceWatch(double gamma, int max_episode_steps);

  // What looks bad about the update.
  Divergence See(const UpdateSigns& signs);
  bool diverged() const { return diverged_; }
  // More than a critic may promise, by the largest reward so far.
  double most_credible_value() const;
  // After the policy was put back.
  void Forget();

 private:
  double horizon_;
  double most_reward_ = 0;
  int in_a_row_ = 0;
  bool diverged_ = false;
};

// In words.
std::string Describe(Divergence divergence, const UpdateSigns& signs, double most_credible_value);

}  // namespace dray
