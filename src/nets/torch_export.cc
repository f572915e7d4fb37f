#include "src/nets/torch_export.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/jit/serialization/pickle.h>

namespace dray {

std::string TorchFile(const ActorCritic& nets, const ObservationScaling& scaling) {
  c10::impl::GenericDict tensors(c10::StringType::get(), c10::TensorType::get());
  for (const auto& [name, tensor] : nets.NamedParameters()) {
    // A copy of its own: a view would drag the whole flat tensor into the file.
    tensors.insert(name, tensor.to(at::kCPU).clone());
  }
  if (scaling.active()) {
    tensors.insert("observation.mean", at::tensor(scaling.mean));
    tensors.insert("observation.scale", at::tensor(scaling.scale));
    tensors.insert("observation.clip", at::tensor(scaling.clip));
  }
  const std::vector<char> bytes = torch::jit::pickle_save(tensors);
  return {bytes.begin(), bytes.end()};
}

}  // namespace dray
