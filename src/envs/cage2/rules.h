#pragma once

#include <cstdint>
#include <string_view>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Version of CybORG that the dynamics follow. The official repository changed them twice after the
// final leaderboard; all published scores of 2022 use the older version.
enum class Release : uint8_t { kHead, kLeaderboard };

// Wrapper that turns the monitor's table into bits. They differ in how a connection to a host is
// read in the step in which blue places a decoy there.
enum class Wrapper : uint8_t {
  kStock,    // the challenge's own: nothing, unless it is clearly a scan or an exploit
  kCardiff,  // ChallengeWrapper2 of the winning team: a scan
};

// The attacker. kLearned plays the moves that are handed to the game.
enum class RedAgent : uint8_t { kBline, kMeander, kSleep, kLearned };
inline constexpr int kRedAgents = 4;

struct Rules {
  const Network* network = &ShippedNetwork();
  Release release = Release::kHead;
  Wrapper wrapper = Wrapper::kStock;
  bool green = false;  // users whose random port scans raise false alarms
};

// Parses bline, meander, sleep or learned; throws an Error for other names.
RedAgent RedAgentNamed(std::string_view name);
std::string_view NameOf(RedAgent red);

}  // namespace dray::cage2
