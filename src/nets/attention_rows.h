#pragma once

#include <span>
#include <vector>

#include "src/nets/attention_shape.h"
#include "src/nets/cpu_mlp.h"
#include "src/nets/cpu_net.h"
#include "src/nets/token_attention.h"

namespace dray {

// AttentionNet's forward and backward pass over some rows of a batch, on plain memory; see CpuNet
// for the terms. Absent tokens cost nothing: only the present ones are stored, row after row.
class AttentionRows {
 public:
  explicit AttentionRows(AttentionShape shape);

  size_t parameter_count() const { return shape_.parameter_count; }
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input);
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients);

 private:
  // Intermediate results of one round of self-attention, kept for the gradients; [present, ...]
  // each.
  struct Round {
    std::vector<float> qkv;       // queries, keys, values
    std::vector<float> attended;  // output of attention
    std::vector<float> blended;   // projected and added to the input
    std::vector<float> raised;
    std::vector<float> weights;  // attention weights
    std::vector<float> out;
  };

  void GatherTokens(const CpuInput& input);
  void ApplyRound(const AttentionShape::Round& part, const float* parameters,
                  const std::vector<float>& x, Round& round);
  void RoundGradients(const AttentionShape::Round& part, const float* parameters,
                      const std::vector<float>& x, const Round& round, float* gradients);
  // Pools by attention: one query per row attends to the row's tokens. Fills summary_.
  void Pool(const float* parameters, const CpuInput& input, const std::vector<float>& x);
  void AnswerGradients(const float* parameters, float* gradients);
  void KeyGradients(const float* parameters, float* gradients);
  void PoolGradients(const float* parameters, const std::vector<float>& x, float* gradients);
  std::span<const float> HiddenParameters(std::span<const float> parameters) const;
  std::span<const float> Context(const CpuInput& input, int64_t row) const;
  int64_t present() const { return starts_.back(); }

  AttentionShape shape_;
  CpuMlp hidden_;
  TokenAttention attention_;

  std::vector<int64_t> starts_;  // [rows + 1]: first token of each row
  std::vector<float> tokens_;    // [present, token size]
  std::vector<float> embedded_;
  std::vector<Round> rounds_;
  std::vector<float> asking_;   // [rows, context + width]
  std::vector<float> query_;    // [rows, width]
  std::vector<float> asked_;    // [rows, heads, width]: queries in the space of tokens
  std::vector<float> mixed_;    // [rows, heads, width]: weighted means of tokens
  std::vector<float> weights_;  // attention weights of the pooling
  std::vector<float> summary_;  // [rows, answer + last token + context]

  // Gradients with respect to the value of the same name, and scratch memory.
  std::vector<float> by_summary_, by_x_, by_query_, by_asking_, by_asked_, by_mixed_;
  std::vector<float> by_raised_, by_attended_, by_qkv_;
  std::vector<float> transposed_, head_weights_, of_head_;
};

}  // namespace dray
