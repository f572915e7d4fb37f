#pragma once

#include <span>
#include <vector>

#include "src/nets/cpu_mlp.h"
#include "src/nets/cpu_net.h"
#include "src/nets/gru_shape.h"

namespace dray {

// Gru on plain memory. Threads divide the sequences; gradients of weights are summed over all rows,
// so that they do not depend on the number of threads.
class CpuGru : public CpuNet {
 public:
  explicit CpuGru(GruShape shape)
      : shape_(std::move(shape)), head_(shape_.head, shape_.activation) {}

  size_t parameter_count() const override { return shape_.parameter_count(); }
  std::span<const float> memory() const override { return after_; }
  using CpuNet::Backward;
  using CpuNet::Forward;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                           ThreadTeam& team) override;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients,
                ThreadTeam& team) override;

 private:
  // A step of some sequences, whose rows lie `steps` apart.
  void Remember(std::span<const float> parameters, const CpuInput& input, Range sequences,
                int64_t step, std::vector<float>& recalled);
  void Recall(Range sequences, int64_t steps, int64_t step, std::vector<float>& by_memory);

  GruShape shape_;
  CpuMlp head_;
  std::vector<float> seen_;         // [rows, seen]
  std::vector<float> before_;       // [rows, memory]: what a row starts with; 0 in a new episode
  std::vector<float> gates_;        // [rows, 3 * memory]: reset, update, candidate
  std::vector<float> pulls_;        // [rows, memory]: the part of recall that reset scales
  std::vector<float> after_;        // [rows, memory]
  std::vector<float> head_input_;   // [rows, seen + memory]
  std::vector<float> by_input_;     // gradients with respect to those
  std::vector<float> by_looked_;    // [rows, 3 * memory]
  std::vector<float> by_recalled_;  // [rows, 3 * memory]
  std::vector<float> turned_;       // recall's weights, transposed
};

}  // namespace dray
