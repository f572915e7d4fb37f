#pragma once

#include <cstdint>
#include <span>

namespace dray::dvrptw {

// Computes one step of expectation maximisation over answers of riders with hidden types.
//   logits      [rows, 4]: unnormalised log-probabilities of the types, f = softmax
//   rows_of     per answer, the row of its rider
//   fitting     per answer, the types that would have given it, by bits; at least one
//   gradients   [rows, 4], overwritten: gradients of the mean loss by the logits
// The loss of an answer is -sum_l w_l log f_l, where w is f, restricted to the fitting types and
// normalised, held constant; half of that when every type fits. Returns the mean.
double EmLoss(std::span<const float> logits, std::span<const int32_t> rows_of,
              std::span<const uint8_t> fitting, std::span<float> gradients);

// Replaces each row of 4 by its softmax.
void SoftmaxTypes(std::span<float> rows);

}  // namespace dray::dvrptw
