#include "src/loop/env_accounts.h"

#include <algorithm>
#include <cstdio>

#include "src/base/counts.h"
#include "src/base/error.h"
#include "src/env/episode_stats.h"
#include "src/metrics/table.h"

namespace dray {

EnvAccounts::EnvAccounts(const EnvSpec& spec, int num_envs) : accounts_(num_envs) {
  for (const std::string& name : spec.env_stats) {
    const std::optional<size_t> place = StatPlace(spec, name);
    DRAY_CHECK(place.has_value());
    stats_.push_back({name, *place});
  }
  for (Account& account : accounts_) account.last_stats.resize(stats_.size());
}

void EnvAccounts::Add(int env, const Episode& episode) {
  Account& account = accounts_.at(env);
  ++account.episodes;
  account.last_return = episode.total_reward;
  for (size_t i = 0; i < stats_.size(); ++i) account.last_stats[i] = episode.stats[stats_[i].place];
}

void EnvAccounts::RecordInto(Report& report) const {
  if (stats_.empty()) return;
  for (size_t env = 0; env < accounts_.size(); ++env) {
    const Account& account = accounts_[env];
    if (account.episodes == 0) continue;
    char number[24];
    std::snprintf(number, sizeof(number), "%02zu/", env);
    const std::string prefix = Cat(kEnvPrefix, number);
    report.Record(prefix + "episodes", account.episodes);
    report.Record(prefix + "return", account.last_return);
    for (size_t i = 0; i < stats_.size(); ++i) {
      report.Record(Cat(prefix, "stat/", stats_[i].name), account.last_stats[i]);
    }
  }
}

int64_t EnvAccounts::fewest_episodes() const {
  return std::ranges::min_element(accounts_, {}, &Account::episodes)->episodes;
}

void EnvAccounts::Save(ByteWriter& out) const {
  for (const Account& account : accounts_) {
    out.Put(account.episodes);
    out.Put(account.last_return);
    out.PutVector(account.last_stats);
  }
}

void EnvAccounts::Load(ByteReader& in) {
  for (Account& account : accounts_) {
    account.episodes = in.Get<int64_t>();
    account.last_return = in.Get<double>();
    account.last_stats = in.GetVector<double>();
    if (!IsCount(account.episodes) || account.last_stats.size() != stats_.size()) {
      throw Failure("the saved accounts of the environments are damaged, or of another task");
    }
  }
}

}  // namespace dray
