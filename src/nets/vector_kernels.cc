#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "src/nets/kernels.h"
#include "src/nets/lanes.h"

namespace dray {
namespace {

constexpr IntLanes kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Computes the exponential of numbers that are not above 0, to rounding; below -87, that of -87.
// Uses 2^i e^f with i a whole number and |f| at most ln 2 / 2, and the Cephes polynomial for e^f.
DRAY_INLINE Lanes ExpOfNegative(const Lanes& from) {
  constexpr float kRounder = 12582912.0f;  // 1.5 2^23: adding it rounds to whole numbers
  const Lanes least = Lanes{} - 87.0f;
  const Lanes x = from < least ? least : from;
  const Lanes shifted = x * 1.44269504f + kRounder;
  const Lanes whole = shifted - kRounder;
  const Lanes f = x - whole * 0.693359375f + whole * 2.12194440e-4f;
  const Lanes p =
      f * f *
          (5.0000001201e-1f +
           f * (1.6666665459e-1f +
                f * (4.1665795894e-2f +
                     f * (8.3334519073e-3f + f * (1.3981999507e-3f + f * 1.9875691500e-4f))))) +
      f + 1.0f;
  // For NaN these are arbitrary bits, which may overflow.
  const BitLanes power = (BitLanes)shifted - std::bit_cast<uint32_t>(kRounder);
  const Lanes scaled = (Lanes)((BitLanes)p + (power << 23));
  return from == from ? scaled : from;  // NaN stays NaN, so that it is noticed
}

DRAY_INLINE float SumOfLanes(const Lanes& lanes) {
  float sum = 0;
  for (int64_t i = 0; i < kLanes; ++i) sum += lanes[i];
  return sum;
}

// Returns 0 for numbers closer to it than `least`. Compares the bits as integers, which order
// positive floats in the same way, because that is a single instruction that cannot raise an
// exception.
DRAY_INLINE float Settled(float x, float least) {
  const int32_t bits = std::bit_cast<int32_t>(x);
  return std::bit_cast<float>((bits & 0x7fffffff) < std::bit_cast<int32_t>(least) ? 0 : bits);
}
}  // namespace

// Computes x P(x^2) / Q(x^2), fitted to the smallest relative error on [-8, 8]; beyond that, tanh
// is 1 to a float.
DRAY_EVERY_CPU
void Tanh(std::span<float> values) {
  for (float& value : values) {
    float x = value;
    x = x > 8.0f ? 8.0f : x;
    x = x < -8.0f ? -8.0f : x;
    const float y = x * x;
    const float p =
        0.999999994f +
        y * (0.134444912f + y * (0.00357158852f + y * (2.18944399e-05f + y * 1.52299597e-08f)));
    const float q = 1.0f + y * (0.467778185f +
                                y * (0.0261644105f + y * (0.000341127378f + y * 8.52229267e-07f)));
    value = x * p / q;
  }
}

DRAY_EVERY_CPU
void Relu(std::span<float> values) {
  for (float& value : values) value = value > 0 ? value : 0;
}

DRAY_EVERY_CPU
void TanhGradient(std::span<const float> outputs, std::span<float> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) gradients[i] *= 1.0f - outputs[i] * outputs[i];
}

DRAY_EVERY_CPU
void ReluGradient(std::span<const float> outputs, std::span<float> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) gradients[i] = outputs[i] > 0 ? gradients[i] : 0;
}

DRAY_EVERY_CPU
void SumRows(std::span<const float> values, std::span<float> sums) {
  std::ranges::fill(sums, 0.0f);
  const size_t columns = sums.size();
  for (size_t start = 0; start < values.size(); start += columns) {
    for (size_t j = 0; j < columns; ++j) sums[j] += values[start + j];
  }
}

DRAY_EVERY_CPU
void SoftmaxRows(int64_t rows, int64_t used, int64_t stride, float scale, float* values) {
  for (float* row = values; row != values + rows * stride; row += stride) {
    float top = row[0] * scale;
    for (int64_t i = 0; i < used; ++i) top = row[i] * scale > top ? row[i] * scale : top;
    Lanes sums = {};
    for (int64_t start = 0; start < stride; start += kLanes) {
      const IntLanes places = kPlaces + static_cast<int32_t>(start);
      const Lanes weights = places < static_cast<int32_t>(used)
                                ? ExpOfNegative(Load(row + start) * scale - top)
                                : Lanes{};
      sums += weights;
      Store(weights, row + start);
    }
    const float part = 1.0f / SumOfLanes(sums);
    for (int64_t start = 0; start < stride; start += kLanes) {
      Store(Load(row + start) * part, row + start);
    }
  }
}

DRAY_EVERY_CPU
void SoftmaxGradientRows(int64_t rows, int64_t stride, float scale, const float* weights,
                         float* gradients) {
  for (int64_t at = 0; at < rows * stride; at += stride) {
    Lanes sums = {};
    for (int64_t i = at; i < at + stride; i += kLanes) {
      sums += Load(weights + i) * Load(gradients + i);
    }
    const float mean = SumOfLanes(sums);
    for (int64_t i = at; i < at + stride; i += kLanes) {
      Store(Load(weights + i) * (Load(gradients + i) - mean) * scale, gradients + i);
    }
  }
}

DRAY_EVERY_CPU
Categorical CategoricalRow(std::span<const float> logits, std::span<const bool> allowed,
                           std::span<float> probabilities) {
  const auto width = std::ssize(logits);
  // Forbidden logits and the padding are far below the maximum.
  constexpr float kNowhere = -std::numeric_limits<float>::infinity();
  const auto load = [&](int64_t start) __attribute__((always_inline)) {
    Lanes lanes = Lanes{} + kNowhere;
    const int64_t count = std::min(kLanes, width - start);
    std::memcpy(&lanes, logits.data() + start, count * sizeof(float));
    if (allowed.empty()) return lanes;
    IntLanes open = {};
    for (int64_t i = 0; i < count; ++i) open[i] = allowed[start + i];
    return open != 0 ? lanes : Lanes{} + kNowhere;
  };
  Lanes tops = Lanes{} + kNowhere;
  for (int64_t start = 0; start < width; start += kLanes) {
    const Lanes lanes = load(start);
    tops = lanes > tops ? lanes : tops;
  }
  Categorical row;
  row.top = tops[0];
  for (int64_t i = 1; i < kLanes; ++i) row.top = std::max(row.top, tops[i]);
  Lanes totals = {}, products = {};
  for (int64_t start = 0; start < width; start += kLanes) {
    const Lanes lanes = load(start);
    const IntLanes nowhere = lanes == kNowhere;
    const Lanes below = nowhere ? Lanes{} : lanes - row.top;
    const Lanes weights = nowhere ? Lanes{} : ExpOfNegative(below);
    totals += weights;
    products += weights * below;
    std::memcpy(probabilities.data() + start, &weights,
                std::min(kLanes, width - start) * sizeof(float));
  }
  const float total = SumOfLanes(totals);
  const float part = 1.0f / total;
  for (float& probability : probabilities) probability *= part;
  row.log_total = std::log(total);
  row.entropy = row.log_total - SumOfLanes(products) * part;
  return row;
}

DRAY_EVERY_CPU
void CategoricalGradientRow(std::span<const float> logits, const Categorical& row,
                            float entropy_weight, float weight, std::span<float> probabilities) {
  const float shift = row.entropy - row.top - row.log_total;
  for (size_t j = 0; j < logits.size(); ++j) {
    probabilities[j] *= entropy_weight * (logits[j] + shift) - weight;
  }
}

DRAY_EVERY_CPU
double SumSquares(std::span<const float> values) {
  Lanes sums[4] = {};
  size_t i = 0;
  for (; i + 4 * kLanes <= values.size(); i += 4 * kLanes) {
    for (size_t v = 0; v < 4; ++v) {
      const Lanes lanes = Load(values.data() + i + v * kLanes);
      sums[v] += lanes * lanes;
    }
  }
  float rest = 0;
  for (; i < values.size(); ++i) rest += values[i] * values[i];
  const Lanes sum = sums[0] + sums[1] + sums[2] + sums[3];
  double total = rest;
  for (int64_t lane = 0; lane < kLanes; ++lane) total += sum[lane];
  return total;
}

// Moments of parameters that almost never have a gradient decay to denormal floats, which are a
// hundred times slower, and stay there. Those too small to move a parameter, compared with epsilon,
// are therefore set to 0.
DRAY_EVERY_CPU
void TakeAdamStep(const AdamStep& step, std::span<const float> gradients, std::span<float> first,
                  std::span<float> second, std::span<float> parameters) {
  const AdamStep s = step;
  const float* __restrict by = gradients.data();
  float* __restrict m = first.data();
  float* __restrict v = second.data();
  float* __restrict p = parameters.data();
  for (size_t i = 0; i < gradients.size(); ++i) {
    const float gradient = Settled(s.gradient_scale * by[i], 1e-16f);
    const float mean = Settled(s.keep_first * m[i] + s.take_first * gradient, 1e-30f);
    const float square =
        Settled(s.keep_second * v[i] + s.take_second * gradient * gradient, 1e-36f);
    m[i] = mean;
    v[i] = square;
    p[i] -= s.rate * mean / (std::sqrt(square * s.second_scale) + s.epsilon);
  }
}

}  // namespace dray
