#pragma once

#include <cstdint>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

enum class RedAction : int8_t {
  kSleep,
  kDiscoverSystems,   // find the hosts of a subnet
  kDiscoverServices,  // find the services of a host
  kExploit,
  kEscalate,
  kImpact,  // stop the server's service
};

// A move of red. Every red agent acts through these, always from User0.
struct RedMove {
  RedAction action = RedAction::kSleep;
  int target = kNoHost;  // a host, or the subnet of kDiscoverSystems
};

// Effect of blue's action.
enum class BlueEffect : int8_t { kNone, kMalwareFound, kSessionsRemoved, kDecoyPlaced, kRestored };

// Record of one step: blue's view, then red's move and the random outcomes.
struct StepRecord {
  double reward() const { return reward_tenths / 10.0; }
  Subnet target_subnet() const { return Enumerator<Subnet>(red_target); }

  // Four bits for each host: activity (none 00, scan 10, exploit 11) and compromised (no 00,
  // unknown 10, user 01, privileged 11). The first host has the most significant ones.
  uint64_t observation = 0;
  int16_t reward_tenths = 0;
  BlueEffect effect = BlueEffect::kNone;
  RedAction red_action = RedAction::kSleep;
  int8_t red_target = kNoHost;  // a host, or the subnet of kDiscoverSystems
  bool red_success = false;
  Exploit exploit = Exploit::kNone;  // kNone: red saw nothing to exploit
  int8_t detected = -1;              // -1: no shell to detect
  int8_t escalated_session = -1;     // -1: none was escalated
  Host green_scan = kNoHost;
  PortMask remembered_ports = 0;  // ports on which red based its choice of exploit
  HostMask candidates = 0;        // hosts that Meander chose from
};

}  // namespace dray::cage2
