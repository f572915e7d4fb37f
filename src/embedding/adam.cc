#include "src/embedding/adam.h"

#include <bit>
#include <cmath>

#include "src/base/error.h"

// One compiled version of a function per instruction set. Sanitizers cannot start with such
// functions.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define DRAY_EVERY_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DRAY_EVERY_CPU
#endif

namespace dray {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr float kEpsilon = 1e-8f;

// The square root to rounding, by Newton's method: the library's may set errno, which keeps a loop
// from being vectorised. The products are ordered so that none overflows; 0 gives 0.
inline float Root(float x) {
  float inverse = std::bit_cast<float>(0x5f3759df - (std::bit_cast<int32_t>(x) >> 1));
  for (int i = 0; i < 3; ++i) inverse *= 1.5f - 0.5f * x * inverse * inverse;
  return x * inverse;
}

DRAY_EVERY_CPU void MoveAll(float rate, float second_scale, size_t n,
                            const float* __restrict gradients, float* __restrict first,
                            float* __restrict second, float* __restrict parameters) {
  constexpr auto keep1 = static_cast<float>(kBeta1), keep2 = static_cast<float>(kBeta2);
  constexpr auto take1 = static_cast<float>(1 - kBeta1), take2 = static_cast<float>(1 - kBeta2);
  for (size_t i = 0; i < n; ++i) {
    first[i] = keep1 * first[i] + take1 * gradients[i];
    second[i] = keep2 * second[i] + take2 * gradients[i] * gradients[i];
    parameters[i] -= rate * first[i] / (Root(second[i] * second_scale) + kEpsilon);
  }
}

}  // namespace

void Adam::Step(double learning_rate, std::span<const float> gradients,
                std::span<float> parameters) {
  DRAY_CHECK_EQ(gradients.size(), first_.size());
  DRAY_CHECK_EQ(parameters.size(), first_.size());
  ++steps_;
  const double first_bias = 1 - std::pow(kBeta1, static_cast<double>(steps_));
  const double second_bias = 1 - std::pow(kBeta2, static_cast<double>(steps_));
  MoveAll(static_cast<float>(learning_rate / first_bias), static_cast<float>(1 / second_bias),
          gradients.size(), gradients.data(), first_.data(), second_.data(), parameters.data());
}

void Adam::Save(ByteWriter& out) const {
  out.Put(steps_);
  out.PutVector(first_);
  out.PutVector(second_);
}

void Adam::Load(ByteReader& in) {
  const auto steps = in.Get<int64_t>();
  if (steps < 0) throw Failure("an optimiser's saved state is damaged");
  steps_ = steps;
  in.GetInto(std::span(first_));
  in.GetInto(std::span(second_));
}

}  // namespace dray
