#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "src/envs/cage2/network.h"
#include "src/envs/cage2/rules.h"

namespace dray::cage2 {

// Entry of a host in blue's table, as the two bits of the observation.
enum class Compromised : uint8_t { kNo = 0b00, kUser = 0b01, kUnknown = 0b10, kPrivileged = 0b11 };

// B_line's progress in its plan.
struct BlineState {
  uint8_t stage = 0;           // 0 ... 14
  int8_t user = kNoHost;       // way in, once chosen
  uint8_t sure_of_server = 0;  // has begun to exploit the server: never falls back again
};

// Meander's knowledge and past actions.
struct MeanderState {
  HostMask known_addresses = 0;
  HostMask known_names = 0;
  HostMask scanned = 0;
  HostMask exploited = 0;
  HostMask escalated = 0;
  HostMask mapped = 0;        // was exploited successfully
  uint8_t known_subnets = 0;  // bit s: subnet s
  uint8_t scanned_subnets = 0;
  int8_t last_exploited = kNoHost;  // target of the last action, if it was an exploit
  int8_t last_escalated = kNoHost;  // target of the last action, if an escalation or impact
};

// Largest number of unprivileged sessions tracked per host; more are not counted. Red escalates
// soon after it breaks in, so in play there are never even three.
inline constexpr int kMostSessions = 16;
// Largest number of decoys counted per host. It only matters whether there are three services.
inline constexpr int kMostDecoys = 100;

// State of an episode: plain data without padding, so that its bytes can be saved and compared.
// Begins with StartOf. A loaded state is used only if it is Plausible.
struct State {
  // The table's column `compromised`, at the bits it has in the observation.
  uint64_t compromised = 0;

  // Real services never change, so a host's services are those of the network plus its decoys,
  // which are appended. The port of a decoy identifies its kind.
  std::array<PortMask, kMostHosts> decoy_ports{};
  // Ports that red remembers from its last effective scan; none: never scanned.
  std::array<PortMask, kMostHosts> remembered_ports{};
  // Bit i says that the monitor knows the process of unprivileged session i. Never set for ssh.
  std::array<uint16_t, kMostHosts> known_processes{};
  HostMask privileged = 0;     // hosts with a privileged session
  HostMask malware = 0;        // hosts with a dense file on disk
  HostMask haraka_broken = 0;  // leaderboard release only
  MeanderState meander;

  std::array<uint8_t, kMostHosts> sessions{};  // unprivileged sessions
  std::array<uint8_t, kMostHosts> decoys{};
  uint8_t red_succeeded = 0;   // red's last action
  uint8_t scan_saw_ports = 0;  // red's last scan of a host
  uint8_t server_up = 1;       // the server's service
  uint8_t server_found = 0;    // red knows that service
  // Red stops the service by a process id, which a restore of the server invalidates for good.
  uint8_t server_vulnerable = 1;
  RedAgent red = RedAgent::kSleep;
  BlineState bline;
  uint8_t unused = 0;
};
static_assert(std::is_trivially_copyable_v<State>);
static_assert(std::has_unique_object_representations_v<State>);

// Returns the state before the first step: red has its foothold and knows nothing else.
State StartOf(const Network& network, RedAgent red);

inline Compromised CompromisedOf(const State& state, int host, const Network& network) {
  return Enumerator<Compromised>((state.compromised >> network.shift(host)) & 0b11);
}

inline void SetCompromised(State& state, int host, Compromised value, const Network& network) {
  const int shift = network.shift(host);
  state.compromised &= ~(uint64_t{0b11} << shift);
  state.compromised |= static_cast<uint64_t>(value) << shift;
}

inline bool HasSession(const State& state, int host) {
  return (state.privileged & Bit(host)) != 0 || state.sessions[host] > 0;
}

// Returns the hosts with a red session of any level.
HostMask HostsWithSession(const State& state);
// Returns the hosts where a Remove would end a session, which needs a process the monitor knows.
HostMask HostsToRemoveFrom(const State& state);

// Returns true if all values are in the range the game relies on; checks loaded data.
bool Plausible(const State& state, const Network& network);

}  // namespace dray::cage2
