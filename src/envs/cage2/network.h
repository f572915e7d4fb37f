#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// The network of the challenge's Scenario2: who is in it, what listens where, what leads where.
// Everything here is constant; what an episode changes is in state.h.

namespace dray::cage2 {

// In the order of the observation and of the action list.
enum Host : int8_t {
  kNoHost = -1,
  kDefender,
  kEnterprise0,
  kEnterprise1,
  kEnterprise2,
  kOpHost0,
  kOpHost1,
  kOpHost2,
  kOpServer0,
  kUser0,  // red's foothold, for ever
  kUser1,
  kUser2,
  kUser3,
  kUser4,
};
inline constexpr int kHosts = 13;

using HostMask = uint16_t;  // bit h is host h
inline constexpr HostMask kAllHosts = (1u << kHosts) - 1;
constexpr HostMask Bit(int host) { return static_cast<HostMask>(1u << host); }
// How many there are. (std::popcount is a call into a library on the plainest x86.)
constexpr int Count(HostMask hosts) {
  unsigned n = hosts;
  n = (n & 0x5555) + (n >> 1 & 0x5555);
  n = (n & 0x3333) + (n >> 2 & 0x3333);
  n = (n + (n >> 4)) & 0x0f0f;
  return static_cast<int>((n + (n >> 8)) & 0x1f);
}

inline constexpr HostMask kEnterpriseHosts = 0b1110;  // without Defender
inline constexpr HostMask kOperationalHosts = 0xf0;
inline constexpr HostMask kUserHosts = 0x1f00;

// In the order in which Meander looks for one that it has not scanned.
enum class Subnet : int8_t { kEnterprise, kOperational, kUser };
inline constexpr int kSubnets = 3;

// The exploits that red knows, the one it ranks highest first. Each attacks one port, which is the
// port of the same number in kPorts.
enum class Exploit : int8_t {
  kNone = -1,
  kFtpDirectoryTraversal,
  kHarakaRce,
  kSqlInjection,
  kHttpsRfi,
  kHttpRfi,
  kEternalBlue,
  kBlueKeep,
  kSshBruteForce,
};
inline constexpr int kExploits = 8;
using ExploitMask = uint8_t;

// Every port that occurs; a set of ports is a mask of their places here.
inline constexpr std::array<int, 12> kPorts = {21,   25, 3390, 443, 80,  139,
                                               3389, 22, 53,   68,  135, 445};
using PortMask = uint16_t;
constexpr PortMask PortBit(int port) {
  for (size_t i = 0; i < kPorts.size(); ++i) {
    if (kPorts[i] == port) return static_cast<PortMask>(1u << i);
  }
  return 0;
}
inline constexpr PortMask kAllPorts = (1u << kPorts.size()) - 1;

// What red offers itself from the ports that it remembers of a host.
constexpr ExploitMask ExploitsOffered(PortMask ports) {
  constexpr PortMask kWeb = PortBit(80) | PortBit(443);
  // An SQL injection goes through a web page.
  if ((ports & kWeb) == 0) ports &= static_cast<PortMask>(~PortBit(3390));
  return static_cast<ExploitMask>(ports);
}

struct HostFacts {
  std::string_view name;
  Subnet subnet;
  bool windows;
  bool ssh_user;      // somebody's password can be guessed
  int weight_tenths;  // what a privileged red session here costs per step
  Host linked;        // whose address an escalation here gives away
  uint8_t services;   // how many listen
  PortMask ports;     // on which ports
  // Of the ports that an exploit attacks: those where the service is of the kind that it attacks,
  // and those of them that run as root or SYSTEM.
  PortMask exploitable;
  PortMask privileged;
};

extern const std::array<HostFacts, kHosts> kNetwork;
extern const std::array<HostMask, kSubnets> kSubnetHosts;

// The sum of the weights of these hosts, in tenths.
int WeightTenths(HostMask hosts);

std::string_view NameOf(Subnet subnet);
std::string_view NameOf(Exploit exploit);
// By name, or an Error.
Host HostNamed(std::string_view name);
Subnet SubnetNamed(std::string_view name);
Exploit ExploitNamed(std::string_view name);
// "22.80.443": the ports of a mask in ascending order.
std::string PortsText(PortMask ports);

}  // namespace dray::cage2
