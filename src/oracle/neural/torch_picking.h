#pragma once

#include <memory>

#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

// Picks sequences with LibTorch, for example on a GPU. Available in programs linked with
// torch_picking_here. The library of environments alone omits it, so that it loads fast.
struct TorchPicking {
  bool (*has_gpu)();
  // The team must outlive the picker. Throws an Error if the device is not available.
  std::unique_ptr<SequencePicker> (*make)(const SequenceWeights& weights, Device device,
                                          ThreadTeam& team);
};

// Returns null if there is none.
const TorchPicking* FindTorchPicking();
// Called once, before any FindTorchPicking.
void OfferTorchPicking(const TorchPicking& picking);

// Returns true if a GPU can pick sequences here.
bool GpuPicks();

}  // namespace dray
