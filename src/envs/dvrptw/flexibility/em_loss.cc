#include "src/envs/dvrptw/flexibility/em_loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/base/error.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"

namespace dray::dvrptw {
namespace {

constexpr size_t kTypes = kFlexibilityTypes;
// Keeps weights and logarithms finite where a type has all but vanished.
constexpr float kLeast = 1e-30f;

}  // namespace

void SoftmaxTypes(std::span<float> rows) {
  for (size_t start = 0; start < rows.size(); start += kTypes) {
    const auto row = rows.subspan(start, kTypes);
    const float top = std::ranges::max(row);
    float total = 0;
    for (float& value : row) total += value = std::exp(value - top);
    for (float& value : row) value /= total;
  }
}

double EmLoss(std::span<const float> logits, std::span<const int32_t> rows_of,
              std::span<const uint8_t> fitting, std::span<float> gradients) {
  DRAY_CHECK_EQ(logits.size(), gradients.size());
  DRAY_CHECK_EQ(rows_of.size(), fitting.size());
  // Kept between calls: a step is short, and allocating would be a good part of it.
  static thread_local std::vector<float> shares, logs;
  shares.assign(logits.begin(), logits.end());
  SoftmaxTypes(shares);
  logs.resize(shares.size());
  for (size_t i = 0; i < shares.size(); ++i) {
    shares[i] = std::max(shares[i], kLeast);
    logs[i] = std::log(shares[i]);
  }
  std::ranges::fill(gradients, 0.0f);
  const float scale = 1.0f / rows_of.size();
  double loss = 0;
  for (size_t i = 0; i < rows_of.size(); ++i) {
    const size_t row = rows_of[i] * kTypes;
    float fitting_share = 0;
    for (size_t l = 0; l < kTypes; ++l) {
      if (fitting[i] >> l & 1) fitting_share += shares[row + l];
    }
    float answer_loss = 0;
    for (size_t l = 0; l < kTypes; ++l) {
      const float weight = fitting[i] >> l & 1 ? shares[row + l] / fitting_share : 0.0f;
      answer_loss -= weight * logs[row + l];
      gradients[row + l] += scale * (shares[row + l] - weight);
    }
    // When every type fits, the weights are the shares themselves: such an answer has no gradient.
    loss += fitting[i] == kAllTypes ? 0.5 * answer_loss : answer_loss;
  }
  return loss * scale;
}

}  // namespace dray::dvrptw
