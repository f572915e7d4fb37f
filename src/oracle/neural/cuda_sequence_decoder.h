#pragma once

#include <memory>

#include "src/nets/cuda_program.h"
#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

// TorchSequenceNet::MultiStart as one kernel: a block of threads decodes a whole sequence.
class CudaSequenceDecoder {
 public:
  // Returns null if there is no CUDA.
  static std::unique_ptr<CudaSequenceDecoder> Make(const SequenceNetShape& shape,
                                                   const at::Device& device);

  // Returns true if problems of `n` requests, padded, can be decoded.
  bool Fits(int64_t n) const;
  // Returns int32 [B, starts, n]. Entries after a problem's last request are not written.
  at::Tensor MultiStart(const TorchSequenceNet::Encoded& encoded, int64_t starts,
                        const at::Tensor& requests, const at::Tensor& noise);

 private:
  CudaSequenceDecoder(const SequenceNetShape& shape, std::unique_ptr<CudaProgram> program)
      : shape_(shape), program_(std::move(program)) {}

  int64_t BytesOfBlock(int64_t n) const;

  SequenceNetShape shape_;
  std::unique_ptr<CudaProgram> program_;
};

}  // namespace dray
