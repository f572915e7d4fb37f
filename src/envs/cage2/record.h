#pragma once

#include <cstdint>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

enum class RedAction : int8_t {
  kSleep,
  kDiscoverSystems,   // who is in a subnet
  kDiscoverServices,  // what listens on a host
  kExploit,
  kEscalate,
  kImpact,  // stop the server's service
};

// What red decided to do. Every red agent acts through these, always from User0.
struct RedMove {
  RedAction action = RedAction::kSleep;
  int target = kNoHost;  // a host, or the subnet of kDiscoverSystems
};

// What blue's action did.
enum class BlueEffect : int8_t { kNone, kMalwareFound, kSessionsRemoved, kDecoyPlaced, kRestored };

// One step, for those who watch: blue's view first, then what red did and what chance decided.
struct StepRecord {
  double reward() const { return reward_tenths / 10.0; }
  Subnet target_subnet() const { return static_cast<Subnet>(red_target); }

  // Four bits for each host: activity (none 00, scan 10, exploit 11) and compromised (no 00,
  // unknown 10, user 01, privileged 11). The first host has the most significant ones.
  uint64_t observation = 0;
  int16_t reward_tenths = 0;
  BlueEffect effect = BlueEffect::kNone;
  RedAction red_action = RedAction::kSleep;
  int8_t red_target = kNoHost;  // a host, or the subnet of kDiscoverSystems
  bool red_success = false;
  Exploit exploit = Exploit::kNone;  // kNone: red saw nothing to exploit
  int8_t detected = -1;              // -1: there was no shell to detect
  int8_t escalated_session = -1;     // -1: none had to be escalated
  Host green_scan = kNoHost;
  PortMask remembered_ports = 0;  // what red's choice of an exploit went by
  HostMask candidates = 0;        // whom Meander chose among
};

}  // namespace dray::cage2
