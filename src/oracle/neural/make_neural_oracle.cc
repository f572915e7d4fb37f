#include "src/oracle/neural/make_neural_oracle.h"

#include "src/oracle/neural/torch_order_picker.h"

namespace dray {

std::unique_ptr<NeuralOracle> MakeNeuralOracle(const OrderWeights& weights,
                                               const NeuralOracleOptions& options,
                                               const at::Device& device) {
  std::unique_ptr<OrderPicker> picker =
      std::make_unique<TorchOrderPicker>(weights, device, options.threads);
  return std::make_unique<NeuralOracle>(std::move(picker), options.starts, options.threads);
}

}  // namespace dray
