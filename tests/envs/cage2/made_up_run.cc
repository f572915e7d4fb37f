#include "tests/envs/cage2/made_up_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "src/config/dump.h"
#include "src/loop/checkpoint.h"
#include "tests/rollout/made_up_weights.h"

namespace dray {

Config SmallRun(const std::string& env) {
  Config config;
  config.mutable_env()->set_name(env);
  config.mutable_network()->add_hidden(8);
  return config;
}

std::string MadeUpRun(const std::string& name, const Config& config, uint64_t seed) {
  const std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/checkpoints");
  Checkpoint checkpoint;
  checkpoint.epoch = 1;
  checkpoint.config_yaml = DumpYaml(config);
  checkpoint.weights = MadeUpWeights(config, seed).ToBytes();
  CheckpointStore(folder + "/checkpoints", {}).SaveNumbered(checkpoint);
  return folder;
}

}  // namespace dray
