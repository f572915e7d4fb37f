#pragma once

#include <cstdint>
#include <string>

namespace dray {

// What a run is, as its first lines say it. A limit of 0 is none.
struct RunHeader {
  std::string environment;
  int64_t num_envs = 0;
  int64_t num_shards = 0;
  std::string runner;  // local, ray
  std::string device;  // cpu, cuda:0

  int64_t episodes = 0;
  int64_t total_steps = 0;
  int64_t epochs = 0;  // as given, or as the limits above come to
  double duration_s = 0;

  // An epoch is so many whole episodes for tasks of fixed length; otherwise epoch_episodes is 0 and
  // an epoch is so many steps of each environment.
  int64_t epoch_episodes = 0;
  int64_t epoch_steps_per_env = 0;

  uint64_t seed = 0;
  std::string run_dir;
  int64_t resumed_from_epoch = 0;  // 0: a fresh run

  // EnvSpec::reference of the environment.
  std::string reference_stat = {};
  std::string reference = {};
};

// The header between two rules, in lines of `columns` signs, ending in a newline.
std::string HeaderText(const RunHeader& header, size_t columns = 80);

}  // namespace dray
