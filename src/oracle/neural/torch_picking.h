#pragma once

#include <memory>

#include "src/base/thread_team.h"
#include "src/config/config.pb.h"
#include "src/oracle/neural/sequence_picker.h"
#include "src/oracle/neural/sequence_weights.h"

namespace dray {

// Sequences picked by LibTorch, on a GPU say. Whoever is linked with torch_picking_here has it; the
// library of environments alone, which is to be loaded in no time, has not.
struct TorchPicking {
  bool (*has_gpu)();
  // The team outlives the picker. A device that is not there is an Error.
  std::unique_ptr<SequencePicker> (*make)(const SequenceWeights& weights, Device device,
                                          ThreadTeam& team);
};

// Null: there is none.
const TorchPicking* FindTorchPicking();
// Once, before anyone asks.
void OfferTorchPicking(const TorchPicking& picking);

// Whether a GPU can pick sequences here.
bool GpuPicks();

}  // namespace dray
