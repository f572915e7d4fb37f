#pragma once

#include <bit>

#include "src/base/bytes.h"
#include "src/envs/cage2/game.h"
#include "src/envs/cage2/turn.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {

// Chance that does as the test says.
class StagedChance final : public Chance {
 public:
  Host PickHost(HostMask candidates) override {
    return host != kNoHost && (candidates & Bit(host)) != 0 ? host : HostAt(candidates, 0);
  }
  Exploit PickExploit(ExploitMask options) override {
    offered = options;
    const int wanted = static_cast<int>(exploit);
    if (wanted >= 0 && (options >> wanted & 1) != 0) return exploit;
    return static_cast<Exploit>(std::countr_zero(options));
  }
  bool Detects() override { return detects; }
  int PickSession(int count) override {
    sessions_offered = count;
    return session;
  }
  Host PickGreenScan(HostMask /*candidates*/) override { return green_scan; }

  Host host = kNoHost;               // the lowest candidate, if this one is none
  Exploit exploit = Exploit::kNone;  // likewise the highest ranked
  bool detects = true;
  int session = 0;
  Host green_scan = kNoHost;

  ExploitMask offered = 0;
  int sessions_offered = 0;
};

// One step's worth of the game, for those who act in it.
struct Stage {
  // A step of its own: what the last one left in `turn` is gone.
  Turn& NewTurn() {
    record = {};
    turn.decoy_placed = kNoHost;
    turn.malware_found = kNoHost;
    turn.green = {};
    turn.red = {};
    return turn;
  }

  Rules rules;
  State state = Start();
  StagedChance chance;
  StepRecord record;
  Turn turn = {.rules = rules,
               .network = *rules.network,
               .state = state,
               .chance = chance,
               .record = record};
};

// A game that goes on from a given state.
inline Game GameAt(const State& state, const Rules& rules = {}) {
  ByteWriter out;
  out.Put(state);
  ByteReader in(out.bytes(), "a staged state");
  Game game(rules);
  game.Load(in);
  return game;
}

}  // namespace dray::cage2
