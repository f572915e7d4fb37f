#pragma once

#include "src/base/rng.h"
#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Everything in the game that is left to chance. Asked only where there is something to choose:
// more than one candidate, option or session.
class Chance {
 public:
  virtual ~Chance() = default;

  // One of the candidates, all as likely: B_line's way in, or the target of Meander's turn.
  virtual Host PickHost(HostMask candidates) = 0;
  // One of the options: the highest ranked (the lowest bit) in 3 of 4 cases, otherwise one of the
  // others, all of these as likely.
  virtual Exploit PickExploit(ExploitMask options) = 0;
  // Whether the monitor sees the shell of a successful exploit: in 95 of 100 cases.
  virtual bool Detects() = 0;
  // Which of `count` sessions is escalated, all as likely.
  virtual int PickSession(int count) = 0;
  // Whom green scans: nobody in half of the steps, otherwise one of the candidates, all as likely.
  virtual Host PickGreenScan(HostMask candidates) = 0;
};

// The host that stands at `place` among those of a mask, the lowest at 0.
constexpr Host HostAt(HostMask hosts, int place) {
  for (; place > 0; --place) hosts &= static_cast<HostMask>(hosts - 1);
  return static_cast<Host>(__builtin_ctz(hosts));
}

// Chance proper.
class RngChance final : public Chance {
 public:
  explicit RngChance(Rng& rng) : rng_(rng) {}

  Host PickHost(HostMask candidates) override;
  Exploit PickExploit(ExploitMask options) override;
  bool Detects() override;
  int PickSession(int count) override;
  Host PickGreenScan(HostMask candidates) override;

 private:
  Rng& rng_;
};

}  // namespace dray::cage2
