#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// A network that blue defends: who is in it, what listens where, what leads where. It is read from
// a scenario (scenario.h) and constant from then on; what an episode changes is in state.h.

namespace dray::cage2 {

// A place in the network's list of hosts, which is the order of the observation and of the action
// list.
enum Host : int8_t { kNoHost = -1 };
inline constexpr int kMostHosts = 16;  // four bits of an observation each

using HostMask = uint16_t;  // bit h is host h
constexpr HostMask Bit(int host) { return static_cast<HostMask>(1u << host); }
// How many there are. (std::popcount is a call into a library on the plainest x86.)
constexpr int Count(HostMask hosts) {
  unsigned n = hosts;
  n = (n & 0x5555) + (n >> 1 & 0x5555);
  n = (n & 0x3333) + (n >> 2 & 0x3333);
  n = (n + (n >> 4)) & 0x0f0f;
  return static_cast<int>((n + (n >> 8)) & 0x1f);
}

// A place in the network's list of subnets: the order in which Meander looks for one that it has
// not scanned.
enum class Subnet : int8_t {};
inline constexpr int kMostSubnets = 8;

// What kind of machine a host is, told by its name.
enum class Unit : uint8_t { kDefender, kEnterprise, kOpServer, kOpHost, kUser };
inline constexpr int kUnits = 5;

// The exploits that red knows, the one it ranks highest first.
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

// The port that each exploit attacks. A set of ports is a mask of their places in a network's list,
// which begins with these.
inline constexpr std::array<int, kExploits> kAttackedPorts = {21, 25, 3390, 443, 80, 139, 3389, 22};
inline constexpr int kMostPorts = 16;
using PortMask = uint16_t;
// Of an attacked port; nothing for others.
constexpr PortMask PortBit(int port) {
  for (size_t i = 0; i < kAttackedPorts.size(); ++i) {
    if (kAttackedPorts[i] == port) return static_cast<PortMask>(1u << i);
  }
  return 0;
}

// What red offers itself from the ports that it remembers of a host.
constexpr ExploitMask ExploitsOffered(PortMask ports) {
  constexpr PortMask kWeb = PortBit(80) | PortBit(443);
  // An SQL injection goes through a web page.
  if ((ports & kWeb) == 0) ports &= static_cast<PortMask>(~PortBit(3390));
  return static_cast<ExploitMask>(ports);
}

struct HostFacts {
  Subnet subnet{};
  Unit unit{};
  bool windows = false;
  bool ssh_user = false;       // somebody's password can be guessed
  int16_t weight_tenths = 0;   // what a privileged red session here costs per step
  uint8_t services = 0;        // how many listen
  uint8_t shown_subnets = 0;   // bit s: an escalation here tells of subnet s
  bool shows_service = false;  // likewise of the service that red is after
  HostMask shown_hosts = 0;    // likewise of these addresses
  PortMask ports = 0;          // on which something listens
  // Of the ports that an exploit attacks: those where the service is of the kind that it attacks;
  // those of them where it fails nonetheless; and those that run as root or SYSTEM.
  PortMask exploitable = 0;
  PortMask withstands = 0;
  PortMask privileged = 0;
};

// B_line's way on from a host of the foothold's subnet.
struct BlineWay {
  Host enterprise = kNoHost;  // whose address it finds there
  Host last = kNoHost;        // the third of that one's subnet, which leads to the server
};

inline constexpr int kBlueKinds = 11;  // of actions on a host, see blue_actions.h
inline constexpr int kFirstOnHost = 2;
inline constexpr int kMostBlueActions = kFirstOnHost + kBlueKinds * kMostHosts;

struct Network {
  HostMask all_hosts() const { return static_cast<HostMask>((1u << hosts) - 1); }
  int blue_actions() const { return kFirstOnHost + kBlueKinds * hosts; }
  int observation_bits() const { return 4 * hosts; }
  // The shift to a host's four bits in an observation.
  int shift(int host) const { return 4 * (hosts - 1 - host); }
  // The sum of the weights of these hosts, in tenths.
  int WeightTenths(HostMask hosts) const { return low_sums[hosts & 0xff] + high_sums[hosts >> 8]; }
  // Fills in what follows from `hosts` and `facts`: sums, kinds, actions.
  void Settle();

  int hosts = 0;
  int subnets = 0;
  Host foothold = kNoHost;  // red's, for ever
  Host server = kNoHost;    // whose service red is after
  int server_down_tenths = 0;
  uint8_t guarded_subnets = 0;  // bit s: reached only with a session on an enterprise host
  uint8_t first_subnet = 0;     // likewise: the foothold's
  // By kind. Red's agents and green go by it, as the original's go by names.
  HostMask enterprise_hosts = 0;
  HostMask operational_hosts = 0;
  HostMask user_hosts = 0;
  HostMask bline_users = 0;  // B_line's ways in
  std::array<HostFacts, kMostHosts> facts{};
  std::array<HostMask, kMostSubnets> subnet_hosts{};
  std::array<BlineWay, kMostHosts> bline_ways{};
  // By blue's action.
  std::array<int8_t, kMostBlueActions> action_kinds{};
  std::array<int8_t, kMostBlueActions> action_hosts{};
  // Half of the hosts at a time, so that two small tables give any sum.
  std::array<uint16_t, 256> low_sums{};
  std::array<uint16_t, 256> high_sums{};

  int port_count = kExploits;
  std::array<int, kMostPorts> ports{};
  std::array<std::string, kMostHosts> names;
  std::array<std::string, kMostSubnets> subnet_names;
  std::string no_bline;  // why B_line cannot play here; empty: it can
};

// The challenge's own network, Scenario2.
const Network& ShippedNetwork();

std::string_view NameOf(Unit unit);
std::string_view NameOf(Exploit exploit);
// By name, or an Error.
Exploit ExploitNamed(std::string_view name);
Host HostNamed(std::string_view name, const Network& network);
Subnet SubnetNamed(std::string_view name, const Network& network);
// Of any port that occurs; nothing for others.
PortMask PortBitIn(const Network& network, int port);
// "22.80.443": the ports of a mask in ascending order.
std::string PortsText(PortMask ports, const Network& network);

}  // namespace dray::cage2
