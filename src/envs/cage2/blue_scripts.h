#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/rng.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {

// Scripted blue players for one episode. Act maps the bits of an observation to an action.

struct Sleeper {
  int Act(uint64_t /*observation*/, Rng& /*rng*/) { return kSleepAction; }
  void Save(ByteWriter& /*out*/) const {}
  void Load(ByteReader& /*in*/) {}
};

struct Random {
  int Act(uint64_t /*observation*/, Rng& rng) { return rng.Below(actions); }
  void Save(ByteWriter& /*out*/) const {}
  void Load(ByteReader& /*in*/) {}

  uint32_t actions;
};

// Repairs the most recently exploited host among those that look compromised.
class React {
 public:
  // `removes`: uses Remove instead of Restore where red is reported to be a user.
  React(bool removes, const Network& network) : removes_(removes), network_(&network) {}

  int Act(uint64_t observation, Rng& /*rng*/) {
    ++step_;
    int chosen = kNoHost;
    for (int host = 0; host < network_->hosts; ++host) {
      int64_t& exploited_at = exploited_at_[host];
      if (ActivityIn(observation, host, *network_) == Activity::kExploit) exploited_at = step_;
      if (host == network_->foothold ||
          CompromisedIn(observation, host, *network_) == Compromised::kNo) {
        continue;
      }
      if (chosen == kNoHost || exploited_at > exploited_at_[chosen]) chosen = host;
    }
    if (chosen == kNoHost) return kSleepAction;
    const bool remove =
        removes_ && CompromisedIn(observation, chosen, *network_) == Compromised::kUser;
    return ActionId(remove ? BlueKind::kRemove : BlueKind::kRestore, chosen, *network_);
  }

  void Save(ByteWriter& out) const {
    out.Put(step_);
    out.Put(exploited_at_);
  }
  void Load(ByteReader& in) {
    step_ = in.Get<int64_t>();
    exploited_at_ = in.Get<std::array<int64_t, kMostHosts>>();
    bool plausible = step_ >= 0 && step_ < int64_t{1} << 40;
    for (const int64_t at : exploited_at_) plausible &= at >= 0 && at <= step_;
    if (!plausible) throw Failure("the saved memory of a scripted defender is damaged");
  }

 private:
  bool removes_;
  const Network* network_;
  int64_t step_ = 0;
  std::array<int64_t, kMostHosts> exploited_at_{};  // 0: never
};

// Returns the first `count` values of an observation as bits.
inline uint64_t BitsOf(std::span<const float> observation, size_t count) {
  uint64_t bits = 0;
  for (const float bit : observation.first(count)) bits = 2 * bits + (bit != 0 ? 1 : 0);
  return bits;
}

}  // namespace dray::cage2
