#include "src/oracle/neural/make_neural_oracle.h"

#include "src/oracle/neural/cpu_order_picker.h"
#include "src/oracle/neural/torch_order_picker.h"

namespace dray {

std::unique_ptr<OrderPicker> MakeOrderPicker(const OrderWeights& weights, int threads,
                                             const at::Device& device) {
  if (device.is_cpu()) return std::make_unique<CpuOrderPicker>(weights, threads);
  return std::make_unique<TorchOrderPicker>(weights, device, threads);
}

std::unique_ptr<NeuralOracle> MakeNeuralOracle(const OrderWeights& weights,
                                               const NeuralOracleOptions& options,
                                               const at::Device& device) {
  return std::make_unique<NeuralOracle>(MakeOrderPicker(weights, options.threads, device),
                                        options.starts, options.threads);
}

}  // namespace dray
