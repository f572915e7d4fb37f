#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "src/envs/cage2/record.h"
#include "src/envs/cage2/state.h"

namespace dray::cage2 {

// What red was told in the episode so far: the answers to its own moves, and nothing else. Sessions
// are what it believes to have, since blue throws it out without a word: it learns of that by the
// next move there that fails. Plain data without padding.
struct RedKnowledge {
  static RedKnowledge AtStart(const Network& network);

  // How red's move went. Of the state it reads only what the answer to that move contains: whether
  // a scan saw ports, and which ports red then remembers of the host.
  void OnMove(RedMove move, bool succeeded, const State& state, const Network& network);

  bool Knows(HostMask hosts, int host) const { return (hosts & Bit(host)) != 0; }
  bool Plausible(const Network& network) const;

  // Steps since a move on the host last succeeded, from 0; -1: never.
  std::array<int32_t, kMostHosts> since_success = Never();
  std::array<PortMask, kMostHosts> ports{};  // remembered; none: no scan has seen any
  HostMask addresses = 0;
  HostMask sessions = 0;
  HostMask escalated = 0;                      // of these: those it has taken over since it got in
  std::array<uint8_t, kMostHosts> failures{};  // exploits in a row that failed, up to kManyFailures
  uint8_t subnets = 0;                         // known; bit s is subnet s
  uint8_t searched = 0;                        // of these: those whose hosts it has discovered
  uint8_t server_found = 0;                    // the server's service, by an escalation there
  uint8_t last_succeeded = 0;
  uint8_t last_saw_ports = 0;  // the last move was a scan that saw any
  RedAction last_action = RedAction::kSleep;
  int32_t last_target = kNoHost;  // as RedMove has it

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
