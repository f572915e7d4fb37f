#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// Red's knowledge in an episode: the answers to its own moves and nothing else. `sessions` is what
// it believes to hold: it notices that blue has thrown it out only when its next move there fails.
// Plain data without padding.
struct RedKnowledge {
  static RedKnowledge AtStart(const Network& network);

  // Updates the knowledge after a move. Reads only the answer to that move from the state: whether
  // a scan saw ports, and the ports red then remembers of the host.
  void OnMove(RedMove move, bool succeeded, const State& state, const Network& network);

  bool Knows(HostMask hosts, int host) const { return (hosts & Bit(host)) != 0; }
  bool Plausible(const Network& network) const;

  // Steps since the last successful move on the host; -1: never.
  std::array<int32_t, kMostHosts> since_success = Never();
  std::array<PortMask, kMostHosts> ports{};  // remembered ports; none: no scan has seen any
  HostMask addresses = 0;
  HostMask sessions = 0;
  HostMask escalated = 0;                      // sessions escalated since red got in
  std::array<uint8_t, kMostHosts> failures{};  // consecutive failed exploits, up to kManyFailures
  uint8_t subnets = 0;                         // known subnets, by bit
  uint8_t searched = 0;                        // known subnets whose hosts were discovered
  uint8_t server_found = 0;                    // the server's service was found by escalating there
  uint8_t last_succeeded = 0;
  uint8_t last_saw_ports = 0;  // the last move was a scan that saw ports
  RedAction last_action = RedAction::kSleep;
  int32_t last_target = kNoHost;  // see RedMove::target

  static constexpr int kManyFailures = 4;

 private:
  void OnExploit(int host, bool succeeded, const Network& network);
  void OnEscalation(int host, bool succeeded, const Network& network);
  void Lose(int host);

  static constexpr std::array<int32_t, kMostHosts> Never() {
    std::array<int32_t, kMostHosts> never{};
    never.fill(-1);
    return never;
  }
};
static_assert(std::is_trivially_copyable_v<RedKnowledge>);
static_assert(std::has_unique_object_representations_v<RedKnowledge>);

}  // namespace dray::cage2
