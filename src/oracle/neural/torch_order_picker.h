#pragma once

#include <ATen/core/Tensor.h>

#include "src/oracle/neural/order_picker.h"
#include "src/oracle/neural/order_weights.h"
#include "src/oracle/neural/torch_order_net.h"

namespace dray {

// The features of problems as one padded batch on a device, gathered on so many threads. `padded`
// is at least the largest problem's number of requests.
OrderBatch MakeOrderBatch(std::span<const Problem* const> problems, int padded, int threads,
                          const at::Device& device);

// Picks by TorchOrderNet: everything from the features to the orders happens on the device. A
// device that runs out of memory is OutOfMemory.
class TorchOrderPicker : public OrderPicker {
 public:
  TorchOrderPicker(const OrderWeights& weights, const at::Device& device, int threads);

  std::vector<Orders> Pick(std::span<const Problem* const> problems, int starts) override;
  std::string device() const override;

 private:
  at::Tensor Noise(int starts, int padded);

  at::Device device_;
  int threads_;
  TorchOrderNet net_;
  at::Tensor noise_;  // of the last call
};

}  // namespace dray
