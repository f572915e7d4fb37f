#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "src/learn/cpu/cpu_loss.h"
#include "src/learn/device/torch_loss.h"

namespace dray {
namespace {

// The golden minibatch: probabilities of the actions taken, before and now, and their advantages.
const std::vector<float> kNew = {.5f, .2f, .9f, .3f};
const std::vector<float> kOld = {.4f, .4f, .6f, .3f};
const std::vector<float> kAdvantages = {1, -2, .5f, 3};

at::Tensor Log(const std::vector<float>& p) { return at::tensor(p).log(); }

TEST(PolicyLoss, GivesTheGoldenNumbers) {
  const TermTensors loss = ClippedPolicyLoss(Log(kNew), Log(kOld), at::tensor(kAdvantages), 0.2);
  EXPECT_NEAR(loss[kPolicyLoss].item<double>(), -0.8, 1e-6);
  EXPECT_NEAR(loss[kClipFraction].item<double>(), 0.75, 1e-6);
  EXPECT_NEAR(loss[kKlK1].item<double>(), 0.0161346, 1e-6);
  EXPECT_NEAR(loss[kKlK3].item<double>(), 0.0786346, 1e-6);
  const double per_sample[] = {-1.2, 1.6, -.6, -3};
  for (int i = 0; i < 4; ++i) {
    const auto one = [i](const std::vector<float>& v) { return std::vector<float>{v[i]}; };
    EXPECT_NEAR(ClippedPolicyLoss(Log(one(kNew)), Log(one(kOld)), at::tensor(one(kAdvantages)),
                                  0.2)[kPolicyLoss]
                    .item<double>(),
                per_sample[i], 1e-6);
  }
}

TEST(PolicyLoss, WithNormalisedAdvantagesGivesTheGoldenNumber) {
  const at::Tensor advantages = NormalizedAdvantages(at::tensor(kAdvantages));
  EXPECT_NEAR(ClippedPolicyLoss(Log(kNew), Log(kOld), advantages, 0.2)[kPolicyLoss].item<double>(),
              -0.0653418, 1e-6);
}

// The same on plain memory: logits of two actions, of which the first, taken, has probability p.
TEST(PolicyLoss, OnPlainMemoryGivesTheGoldenNumbers) {
  std::vector<float> logits, old_log_probs, gradient(8);
  for (int i = 0; i < 4; ++i) {
    logits.insert(logits.end(), {std::log(kNew[i]), std::log(1 - kNew[i])});
    old_log_probs.push_back(std::log(kOld[i]));
  }
  const std::vector<int64_t> actions(4, 0);
  const LossSettings settings;
  const auto loss_with = [&](const std::vector<float>& advantages) {
    std::vector<LossTerms> terms(4);
    // In two parts: the sums are those of all rows.
    for (const Range range : {Range{0, 3}, Range{3, 1}}) {
      CategoricalLoss(range, logits, {}, actions, {old_log_probs, advantages}, settings, gradient,
                      terms);
    }
    return MeanOf(terms);
  };
  const LossTerms stats = loss_with(kAdvantages);
  EXPECT_NEAR(stats.of[kPolicyLoss], -0.8, 1e-6);
  EXPECT_NEAR(stats.of[kClipFraction], 0.75, 1e-6);
  EXPECT_NEAR(stats.of[kKlK1], 0.0161346, 1e-6);
  EXPECT_NEAR(stats.of[kKlK3], 0.0786346, 1e-6);
  std::vector<float> normalized(4);
  NormalizeAdvantages(kAdvantages, normalized);
  EXPECT_NEAR(loss_with(normalized).of[kPolicyLoss], -0.0653418, 1e-6);
}

TEST(ValueLoss, GivesTheGoldenNumbers) {
  const std::vector<float> values = {1, .45f}, old_values = {.5f, .4f}, returns = {1.1f, .6f};
  std::vector<float> gradient(2);
  const auto torch = [&](double clip) {
    return ValueLoss(at::tensor(values), at::tensor(old_values), at::tensor(returns), clip)
        .item<double>();
  };
  const auto plain = [&](bool clip) {
    LossSettings settings;
    settings.clip_value = clip;
    std::vector<double> losses(2);
    ValueLoss({0, 2}, values, old_values, returns, settings, 1, gradient, losses);
    return (losses[0] + losses[1]) / 2;
  };
  EXPECT_NEAR(torch(0.2), .045625, 1e-6);
  EXPECT_NEAR(torch(0), .008125, 1e-6);
  EXPECT_NEAR(plain(true), torch(0.2), 1e-6);
  EXPECT_NEAR(plain(false), torch(0), 1e-6);
}

TEST(NormalizedAdvantages, HaveMeanZeroAndUnbiasedDeviationOne) {
  const at::Tensor normalized = NormalizedAdvantages(at::randn({1000}) * 7 + 3);
  EXPECT_NEAR(normalized.mean().item<double>(), 0, 1e-5);
  EXPECT_NEAR(normalized.std(/*unbiased=*/true).item<double>(), 1, 1e-5);
}

TEST(NormalizedAdvantages, OfASingleSampleStayAsTheyAre) {
  EXPECT_EQ(NormalizedAdvantages(at::tensor({3.5f})).item<float>(), 3.5f);
  const std::vector<float> one = {3.5f};
  std::vector<float> normalized(1);
  NormalizeAdvantages(one, normalized);
  EXPECT_EQ(normalized[0], 3.5f);
}

TEST(NormalizedAdvantages, EqualOnesBecomeZeroAndNotNan) {
  EXPECT_EQ(NormalizedAdvantages(at::tensor({2.0f, 2.0f})).abs().max().item<float>(), 0);
}

TEST(PolicyLoss, TheThirdEstimateOfKlIsNeverNegative) {
  for (int i = 0; i < 200; ++i) {
    const TermTensors loss =
        ClippedPolicyLoss(at::randn({16}) * 0.5, at::randn({16}) * 0.5, at::randn({16}), 0.2);
    EXPECT_GE(loss[kKlK3].item<double>(), 0);
  }
}

}  // namespace
}  // namespace dray
