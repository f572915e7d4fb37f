#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/metrics/report.h"

namespace dray {

// Episodes finished by each environment of a run, and the newest one.
class EnvAccounts {
 public:
  EnvAccounts(const EnvSpec& spec, int num_envs);

  // `env` is the index in the whole run.
  void Add(int env, const Episode& episode);
  // Records the env/ metrics, if the task has statistics per environment.
  void RecordInto(Report& report) const;
  // Number of episodes of the environment that finished the fewest.
  int64_t fewest_episodes() const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  struct Account {
    int64_t episodes = 0;
    double last_return = 0;
    std::vector<double> last_stats;  // values of stats_
  };

  struct Stat {
    std::string name;
    size_t place;  // index in Episode::stats
  };
  std::vector<Stat> stats_;
  std::vector<Account> accounts_;
};

}  // namespace dray
