// Writes event files for tensorboard_sink_test.py: a run of five reports, then one that was resumed
// after the third and went another way. Prints the path of each file.
#include <cmath>
#include <iostream>
#include <optional>
#include <string>

#include "src/output/tensorboard_sink.h"

namespace {

dray::Report At(int epoch, double loss) {
  dray::Report report;
  report.epoch = epoch;
  report.Record("total_steps", epoch * 512.0);
  report.Record("train/policy_loss", loss);
  report.Record("episode/stat/cost", epoch / 3.0);
  if (epoch >= 2) report.Record("eval/return_mean", 1e6 * epoch);
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  {
    dray::TensorBoardSink sink(folder, std::nullopt);
    std::cout << sink.path() << "\n";
    sink.WriteSettings({{"ppo.gamma", "0.99"},
                        {"run.tensorboard", "true"},
                        {"env.name", "cartpole"},
                        {"run.init_from", "\"\""},
                        {"network.hidden", "[64, 64]"},
                        {"env.carried", std::string(1000, 'x')}});
    for (int epoch = 1; epoch <= 5; ++epoch) sink.Write(At(epoch, -0.25 * epoch));
    sink.Finish();
  }
  dray::TensorBoardSink sink(folder, 3 * 512);
  std::cout << sink.path() << "\n";
  sink.Write(At(4, 40));
  dray::Report without_steps;
  without_steps.epoch = 9999;
  without_steps.Record("update", std::nan(""));
  sink.Write(without_steps);
  return 0;
}
