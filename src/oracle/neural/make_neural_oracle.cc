#include "src/oracle/neural/make_neural_oracle.h"

#include <algorithm>
#include <thread>

#include "src/base/error.h"
#include "src/config/user_path.h"
#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/neural/torch_picking.h"
#include "src/oracle/oracle_entry.h"

namespace dray {
namespace {

// Uses a GPU if there is one, unless the config says otherwise.
Device DeviceOf(const OracleConfig& config) {
  if (config.device() == AUTO) return GpuPicks() ? CUDA : CPU;
  return config.device();
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

// A GPU answers a large batch in little more time than a small one, so sharing pays off, and the
// waiting threads leave their cores to the oracle. On the CPU, a batch takes as long as its
// problems one by one, and all threads but one would be idle.
bool Shared(const OracleConfig& config) { return DeviceOf(config) != CPU; }

std::unique_ptr<Oracle> Make(const OracleConfig& config, const OracleContext& context) {
  const int cores = std::max(1u, std::thread::hardware_concurrency());
  return MakeNeuralOracle(WeightsOf(config, context),
                          {.starts = config.starts(), .threads = Shared(config) ? cores : 1},
                          DeviceOf(config));
}

std::string Doubt(const OracleConfig& config, const OracleContext& context) {
  const int most = WeightsOf(config, context).most_requests;
  if (context.requests <= most) return "";
  return Cat("the neural oracle was trained on up to ", most, " requests, not ", context.requests);
}

class OracleWithTeam : public Oracle {
 public:
  OracleWithTeam(const SequenceWeights& weights, const NeuralOracleOptions& options, Device device)
      : team_(options.threads),
        oracle_(MakeSequencePicker(weights, team_, device), options.starts, team_) {}

  std::string name() const override { return oracle_.name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    return oracle_.Solve(problems);
  }

 private:
  ThreadTeam team_;
  NeuralOracle oracle_;
};

}  // namespace

std::unique_ptr<SequencePicker> MakeSequencePicker(const SequenceWeights& weights, ThreadTeam& team,
                                                   Device device) {
  if (device == CPU) return std::make_unique<CpuSequencePicker>(weights, team.most_threads());
  const TorchPicking* torch = FindTorchPicking();
  if (torch == nullptr) {
    throw UsageError(
        "the neural oracle runs only on the CPU here: set oracle.device to cpu or auto");
  }
  return torch->make(weights, device, team);
}

std::unique_ptr<Oracle> MakeNeuralOracle(const SequenceWeights& weights,
                                         const NeuralOracleOptions& options, Device device) {
  return std::make_unique<OracleWithTeam>(weights, options, device);
}

namespace oracles {

OracleEntry neural() { return {.make = Make, .doubt = Doubt, .shared = Shared}; }

}  // namespace oracles

}  // namespace dray
