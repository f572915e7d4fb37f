// Linking this file is enough to offer LibTorch.

#include <ATen/Context.h>

#include "src/nets/device.h"
#include "src/oracle/neural/torch_picking.h"
#include "src/oracle/neural/torch_sequence_picker.h"

namespace dray {
namespace {

bool HasGpu() { return at::globalContext().hasCUDA(); }

std::unique_ptr<SequencePicker> Make(const SequenceWeights& weights, Device device,
                                     ThreadTeam& team) {
  return std::make_unique<TorchSequencePicker>(weights, ChooseDevice(device), team);
}

[[maybe_unused]] const bool offered = (OfferTorchPicking({HasGpu, Make}), true);

}  // namespace
}  // namespace dray
