#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// What blue's table says of a host, as the two bits of the observation.
enum class Compromised : uint8_t { kNo = 0b00, kUser = 0b01, kUnknown = 0b10, kPrivileged = 0b11 };

// B_line's place in its plan.
struct BlineState {
  uint8_t stage = 0;           // 0 ... 14
  int8_t user = kNoHost;       // the way in, once chosen
  uint8_t sure_of_server = 0;  // the exploit of the server was begun once: no more turning back
};

// What Meander knows and has done.
struct MeanderState {
  HostMask known_addresses = 0;
  HostMask known_names = 0;
  HostMask scanned = 0;
  HostMask exploited = 0;
  HostMask escalated = 0;
  HostMask mapped = 0;        // exploited with success once
  uint8_t known_subnets = 0;  // bit s is subnet s
  uint8_t scanned_subnets = 0;
  int8_t last_exploited = kNoHost;  // what the last action was aimed at, if it was an exploit
  int8_t last_escalated = kNoHost;  // likewise for an escalation or impact
};

// Sessions without privileges that are told apart per host. Red escalates soon after it breaks in,
// so that even three never meet in play; more than this are not counted.
inline constexpr int kMostSessions = 16;
// Decoys on one host that are counted. Only whether there are three or more services matters.
inline constexpr int kMostDecoys = 100;

// All of an episode: plain data without padding, so that its bytes can be saved and compared. It
// begins as StartOf says. A state that came from elsewhere is used only if Plausible.
struct State {
  // The table's column, where it stands in the observation.
  uint64_t compromised = 0;

  // Real services never change, so a host's list is the table's plus its decoys, which were all
  // appended later; every decoy's port says what kind it is.
  std::array<PortMask, kMostHosts> decoy_ports{};
  // Red's memory of the ports at its last effective scan; none: never scanned.
  std::array<PortMask, kMostHosts> remembered_ports{};
  // Sessions without privileges, in order: bit i tells whether the monitor knows the process of
  // number i. Never so for ssh.
  std::array<uint16_t, kMostHosts> known_processes{};
  HostMask privileged = 0;     // hosts with a privileged session; its other traits are moot
  HostMask malware = 0;        // hosts with a dense file on disk
  HostMask haraka_broken = 0;  // leaderboard release only
  MeanderState meander;

  std::array<uint8_t, kMostHosts> sessions{};  // without privileges
  std::array<uint8_t, kMostHosts> decoys{};
  uint8_t red_succeeded = 0;   // red's last action
  uint8_t scan_saw_ports = 0;  // red's last scan of a host
  uint8_t server_up = 1;       // the server's service
  uint8_t server_found = 0;    // red knows that service
  // Red's way to stop it goes by a process id, which a restore of the server makes stale for good.
  uint8_t server_vulnerable = 1;
  RedAgent red = RedAgent::kSleep;
  BlineState bline;
  uint8_t unused = 0;
};
static_assert(std::is_trivially_copyable_v<State>);
static_assert(std::has_unique_object_representations_v<State>);

// Before the first step: red has its foothold and knows no more.
State StartOf(const Network& network, RedAgent red);

inline Compromised CompromisedOf(const State& state, int host, const Network& network) {
  return static_cast<Compromised>((state.compromised >> network.shift(host)) & 0b11);
}

inline void SetCompromised(State& state, int host, Compromised value, const Network& network) {
  const int shift = network.shift(host);
  state.compromised &= ~(uint64_t{0b11} << shift);
  state.compromised |= static_cast<uint64_t>(value) << shift;
}

inline bool HasSession(const State& state, int host) {
  return (state.privileged & Bit(host)) != 0 || state.sessions[host] > 0;
}

// Hosts on which red has a session, of whatever level.
HostMask HostsWithSession(const State& state);
// Those where a Remove would end one: it needs a process that the monitor knows.
HostMask HostsToRemoveFrom(const State& state);

// Whether all is in the range that the game relies on: a saved state may be damaged.
bool Plausible(const State& state, const Network& network);

}  // namespace dray::cage2
