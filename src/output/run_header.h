#pragma once

#include <cstdint>
#include <string>

namespace dray {

// Description of a run, shown as its first lines. A limit of 0 means none.
struct RunHeader {
  std::string environment;
  std::string method = "with PPO";
  int64_t num_envs = 0;
  int64_t num_shards = 0;
  std::string runner;  // local, ray
  std::string device;  // cpu, cuda:0

  int64_t episodes = 0;
  int64_t total_steps = 0;
  int64_t epochs = 0;  // configured, or derived from the limits above
  double duration_s = 0;

  // Length of an epoch: epoch_episodes whole episodes for tasks of fixed length; otherwise
  // epoch_episodes is 0 and each environment takes epoch_steps_per_env steps.
  int64_t epoch_episodes = 0;
  int64_t epoch_steps_per_env = 0;

  uint64_t seed = 0;
  std::string run_dir;
  int64_t resumed_from_epoch = 0;  // 0: a fresh run

  std::string rival = {}, return_unit = {};  // Yardstick::rival_name and unit
};

// Formats the header between two rules, in lines of at most `columns` characters, ending in a
// newline.
std::string HeaderText(const RunHeader& header, size_t columns = 80);

}  // namespace dray
