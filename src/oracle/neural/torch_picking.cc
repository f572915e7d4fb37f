#include "src/oracle/neural/torch_picking.h"

#include <optional>

namespace dray {
namespace {

std::optional<TorchPicking>& Offered() {
  static std::optional<TorchPicking> offered;
  return offered;
}

}  // namespace

const TorchPicking* FindTorchPicking() { return Offered() ? &*Offered() : nullptr; }

void OfferTorchPicking(const TorchPicking& picking) { Offered() = picking; }

bool GpuPicks() { return FindTorchPicking() != nullptr && FindTorchPicking()->has_gpu(); }

}  // namespace dray
