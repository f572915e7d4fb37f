#pragma once

#include "src/base/rng.h"
#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Decides everything random in the game. Called only if there is a choice: more than one candidate,
// option or session.
class Chance {
 public:
  virtual ~Chance() = default;

  // Picks a candidate uniformly: B_line's way in, or the target of Meander's turn.
  virtual Host PickHost(HostMask candidates) = 0;
  // Picks the highest-ranked option (the lowest bit) with probability 3/4, otherwise one of the
  // others uniformly.
  virtual Exploit PickExploit(ExploitMask options) = 0;
  // Returns true, with probability 0.95, if the monitor sees the shell of a successful exploit.
  virtual bool Detects() = 0;
  // Picks the session to escalate, uniformly among `count`.
  virtual int PickSession(int count) = 0;
  // Picks the host that green scans: none with probability 1/2, otherwise a uniform candidate.
  virtual Host PickGreenScan(HostMask candidates) = 0;
};

// Returns host number `place` of a mask, counted from the lowest, which is 0.
constexpr Host HostAt(HostMask hosts, int place) {
  for (; place > 0; --place) hosts &= hosts - 1;
  return Enumerator<Host>(__builtin_ctz(hosts));
}

// Draws from a random number generator.
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
