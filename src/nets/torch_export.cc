#include "src/nets/torch_export.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/tensor.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

namespace dray {
namespace {

// Like torch::jit::pickle_save, but without its type tags, which Python takes for code and rejects
// under weights_only.
std::string SavePlain(const c10::impl::GenericDict& tensors) {
  std::string pickle;
  torch::jit::Pickler pickler([&](const char* bytes, size_t size) { pickle.append(bytes, size); },
                              /*tensor_table=*/nullptr, /*type_renamer=*/nullptr,
                              /*memoized_class_types=*/nullptr,
                              /*get_tensor_id=*/nullptr, /*tag_aggregates=*/false);
  pickler.protocol();
  pickler.pushIValue(tensors);
  pickler.stop();

  std::string file;
  caffe2::serialize::PyTorchStreamWriter writer([&](const void* bytes, size_t size) {
    file.append(static_cast<const char*>(bytes), size);
    return size;
  });
  writer.writeRecord("data.pkl", pickle.data(), pickle.size());
  size_t number = 0;
  for (const at::Tensor& tensor : pickler.tensorData()) {
    writer.writeRecord("data/" + std::to_string(number++), tensor.const_data_ptr(),
                       tensor.nbytes());
  }
  writer.writeEndOfFile();
  return file;
}

}  // namespace

std::string TorchFile(const ActorCritic& nets, const ObservationScaling& scaling) {
  c10::impl::GenericDict tensors(c10::StringType::get(), c10::TensorType::get());
  for (const auto& [name, tensor] : nets.NamedParameters()) {
    // A copy, because a view would save the whole flat tensor.
    tensors.insert(name, tensor.to(at::kCPU).clone());
  }
  if (scaling.active()) {
    tensors.insert("observation.mean", at::tensor(scaling.mean));
    tensors.insert("observation.scale", at::tensor(scaling.scale));
    tensors.insert("observation.clip", at::tensor(scaling.clip));
  }
  return SavePlain(tensors);
}

}  // namespace dray
