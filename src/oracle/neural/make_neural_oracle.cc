#include "src/oracle/neural/make_neural_oracle.h"

#include <ATen/Context.h>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/nets/device.h"
#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/neural/torch_sequence_picker.h"
#include "src/oracle/oracle_entry.h"

namespace dray {
namespace {

at::Device DeviceOf(const OracleContext& context) {
  if (context.device == AUTO) return at::globalContext().hasCUDA() ? at::kCUDA : at::kCPU;
  return ChooseDevice(context.device);
}

SequenceWeights WeightsOf(const OracleConfig& config, const OracleContext& context) {
  if (config.weights().empty()) return ShippedSequenceWeights();
  try {
    return ReadSequenceWeights(UserPath(config.weights()));
  } catch (const Error& error) {
    if (context.settings.empty()) throw;
    throw Error(error.kind(), Cat(context.settings, "weights: ", error.what()));
  }
}

std::unique_ptr<Oracle> Make(const OracleConfig& config, const OracleContext& context) {
  return MakeNeuralOracle(WeightsOf(config, context), {.starts = config.starts()},
                          DeviceOf(context));
}

std::string Doubt(const OracleConfig& config, const OracleContext& context) {
  const int most = WeightsOf(config, context).most_requests;
  if (context.requests <= most) return "";
  return Cat("the neural oracle was trained on up to ", most, " requests, not ", context.requests);
}

// A GPU answers a large batch in hardly more time than a small one. On the CPU a batch takes as
// long as its problems one by one, and all threads but one would stand idle.
bool Shared(const OracleContext& context) { return !DeviceOf(context).is_cpu(); }

}  // namespace

std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, int threads,
                                                   const at::Device& device) {
  if (device.is_cpu()) return std::make_unique<CpuSequencePicker>(weights, threads);
  return std::make_unique<TorchSequencePicker>(weights, device, threads);
}

std::unique_ptr<NeuralOracle> MakeNeuralOracle(const SequenceWeights& weights,
                                               const NeuralOracleOptions& options,
                                               const at::Device& device) {
  return std::make_unique<NeuralOracle>(MakeSequencePicker(weights, options.threads, device),
                                        options.starts, options.threads);
}

namespace oracles {

OracleEntry neural() { return {.make = Make, .doubt = Doubt, .shared = Shared}; }

}  // namespace oracles

}  // namespace dray
