#pragma once

#include <cstdint>
#include <string_view>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Which CybORG the dynamics follow. After the final leaderboard the official repository changed
// them twice; published scores of 2022 are all on the older one.
enum class Release : uint8_t { kHead, kLeaderboard };

// Who turns the monitor's table into bits. They differ in one branch: what a connection to a
// host looks like in the very step in which blue placed a decoy there.
enum class Wrapper : uint8_t {
  kStock,    // the challenge's own: nothing, unless it is clearly a scan or an exploit
  kCardiff,  // ChallengeWrapper2 of the winning team: a scan
};

// Who attacks. kLearned is a policy's; to the game it is one that sleeps, but for what it is
// handed.
enum class RedAgent : uint8_t { kBline, kMeander, kSleep, kLearned };
inline constexpr int kRedAgents = 4;

struct Rules {
  const Network* network = &ShippedNetwork();
  Release release = Release::kHead;
  Wrapper wrapper = Wrapper::kStock;
  bool green = false;  // users who scan ports at random and so raise false alarms
};

// bline, meander, sleep, learned. Another name is an Error.
RedAgent RedAgentNamed(std::string_view name);
std::string_view NameOf(RedAgent red);

}  // namespace dray::cage2
