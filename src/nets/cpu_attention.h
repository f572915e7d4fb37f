#pragma once

#include <span>
#include <vector>

#include "src/nets/attention_rows.h"
#include "src/nets/cpu_net.h"

namespace dray {

// AttentionNet on plain memory. The rows of a batch are split into blocks independently of the
// number of threads; each block has its own gradients, which are summed in the order of the blocks.
class CpuAttention : public CpuNet {
 public:
  explicit CpuAttention(const AttentionShape& shape);

  size_t parameter_count() const override { return blocks_[0].rows.parameter_count(); }
  using CpuNet::Backward;
  using CpuNet::Forward;
  std::span<float> Forward(std::span<const float> parameters, const CpuInput& input,
                           ThreadTeam& team) override;
  void Backward(std::span<const float> parameters, const CpuInput& input,
                std::span<const float> output_gradients, std::span<float> parameter_gradients,
                ThreadTeam& team) override;

 private:
  struct Block {
    AttentionRows rows;
    std::vector<float> gradients;
  };

  AttentionShape shape_;
  std::vector<Block> blocks_;
  std::vector<float> outputs_;
};

}  // namespace dray
