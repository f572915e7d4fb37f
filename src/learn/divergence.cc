#include "src/learn/divergence.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr double kMostKl = 2;         // a sound update has a few hundredths
constexpr double kCredulity = 100;    // believed multiple of what rewards can add up to
constexpr double kLeastCredible = 1;  // used before any reward was seen

}  // namespace

DivergenceWatch::DivergenceWatch(double gamma, int max_episode_steps)
    : horizon_(gamma < 1 ? 1 / (1 - gamma) : max_episode_steps) {
  if (max_episode_steps > 0) horizon_ = std::min<double>(horizon_, max_episode_steps);
}

double DivergenceWatch::most_credible_value() const {
  return kCredulity * std::max(kLeastCredible, horizon_ * most_reward_);
}

Divergence DivergenceWatch::See(const UpdateSigns& signs) {
  most_reward_ = std::max(most_reward_, signs.most_reward);
  const Divergence found = !signs.numbers                             ? Divergence::kNotNumbers
                           : signs.kl > kMostKl                       ? Divergence::kKl
                           : signs.most_value > most_credible_value() ? Divergence::kValue
                                                                      : Divergence::kNone;
  in_a_row_ = found == Divergence::kNone ? 0 : in_a_row_ + 1;
  diverged_ = found == Divergence::kNotNumbers || in_a_row_ >= kPatience;
  return found;
}

void DivergenceWatch::Forget() {
  in_a_row_ = 0;
  diverged_ = false;
}

std::string Describe(Divergence divergence, const UpdateSigns& signs, double most_credible_value) {
  switch (divergence) {
    case Divergence::kKl:
      return Cat("the policy's KL divergence from the one that acted is ", signs.kl,
                 "; a few hundredths are usual");
    case Divergence::kValue:
      return Cat("the critic values a state at ", signs.most_value, ", over ", kCredulity,
                 " times what rewards like those seen can add up to (",
                 most_credible_value / kCredulity, ")");
    case Divergence::kNotNumbers:
      return "a loss, a gradient or a weight is no longer a finite number";
    case Divergence::kNone:
      break;
  }
  return "";
}

}  // namespace dray
