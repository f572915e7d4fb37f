#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/metrics/report.h"

namespace dray {

// What became of each environment of a run: how many episodes it finished, and the newest of them.
class EnvAccounts {
 public:
  EnvAccounts(const EnvSpec& spec, int num_envs);

  // `env`: index in the whole run.
  void Add(int env, const Episode& episode);
  // Records the env/ metrics, if the task has statistics worth following one by one.
  void RecordInto(Report& report) const;
  // Of the environment that finished the fewest.
  int64_t fewest_episodes() const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  struct Account {
    int64_t episodes = 0;
    double last_return = 0;
    std::vector<double> last_stats;  // as stats_
  };

  struct Stat {
    std::string name;
    size_t place;  // in Episode::stats
  };
  std::vector<Stat> stats_;
  std::vector<Account> accounts_;
};

}  // namespace dray
