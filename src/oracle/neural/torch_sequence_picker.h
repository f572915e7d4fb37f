#pragma once

#include <ATen/core/Tensor.h>

#include <deque>
#include <list>
#include <memory>

#include "src/base/thread_team.h"
#include "src/nets/launch_graph.h"
#include "src/oracle/neural/cuda_sequence_decoder.h"
#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/neural/sequence_weights.h"
#include "src/oracle/neural/torch_sequence_net.h"

namespace dray {

// Gathers the features of problems into one padded batch on a device. `padded` is at least the
// number of requests of the largest problem.
RequestBatch MakeRequestBatch(std::span<const Problem* const> problems, int padded,
                              ThreadTeam& team, const at::Device& device);

// Picks with TorchSequenceNet. Everything from the features to the sequences happens on the device;
// on a GPU as one launch per batch size. Throws OutOfMemory if the device runs out of memory.
class TorchSequencePicker : public SequencePicker {
 public:
  // The team must outlive this object.
  TorchSequencePicker(const SequenceWeights& weights, const at::Device& device, ThreadTeam& team);
  ~TorchSequencePicker() override;

  void Begin(std::span<const Problem* const> problems, int starts) override;
  std::vector<Sequences> Take() override;
  bool leaves_cores_free() const override { return !device_.is_cpu(); }
  std::string device() const override;

 private:
  class Call;

  // Returns a call of this size that is not in flight.
  Call& FreeCall(int64_t problems, int64_t padded, int starts);
  at::Tensor Noise(int starts, int padded);
  // Returns int32 [B, starts, n].
  at::Tensor PickAll(const RequestBatch& batch, int starts, const at::Tensor& requests,
                     const at::Tensor& noise) const;

  at::Device device_;
  ThreadTeam& team_;
  TorchSequenceNet net_;
  std::unique_ptr<CudaSequenceDecoder> decoder_;  // null: net_ decodes
  at::Tensor noise_;                              // noise of the last call
  std::list<Call> calls_;                         // most recently used first
  std::deque<Call*> under_way_;
};

}  // namespace dray
