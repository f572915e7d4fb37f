#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// A network that blue defends: who is in it, what listens where, what leads where. It is read from
// a scenario (scenario.h) and constant from then on; what an episode changes is in state.h.

namespace dray::cage2 {

// Index of an enumerator, and the enumerator of an index, for tables.
template <typename Enum>
constexpr int Index(Enum value) {
  return static_cast<int>(value);
}
template <typename Enum>
constexpr Enum Enumerator(int index) {
  return static_cast<Enum>(index);
}

// Index in the network's list of hosts, which is the order of observations and actions.
enum Host : int8_t { kNoHost = -1 };
inline constexpr int kMostHosts = 16;  // four bits of an observation each

using HostMask = uint16_t;  // bit h is host h
constexpr HostMask Bit(int host) { return 1u << host; }
// Returns the number of hosts in a mask. (std::popcount is a library call on baseline x86.)
constexpr int Count(HostMask hosts) {
  unsigned n = hosts;
  n = (n & 0x5555) + (n >> 1 & 0x5555);
  n = (n & 0x3333) + (n >> 2 & 0x3333);
  n = (n + (n >> 4)) & 0x0f0f;
  return (n + (n >> 8)) & 0x1f;
}

// Index in the network's list of subnets, which is the order in which Meander scans them.
enum class Subnet : int8_t {};
inline constexpr int kMostSubnets = 8;

// Kind of machine, derived from the name of a host.
enum class Unit : uint8_t { kDefender, kEnterprise, kOpServer, kOpHost, kUser };
inline constexpr int kUnits = 5;

// Red's exploits, highest rank first.
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

// Ports attacked by the exploits. Port sets are masks of indices into the network's list of ports,
// which begins with these.
inline constexpr std::array<int, kExploits> kAttackedPorts = {21, 25, 3390, 443, 80, 139, 3389, 22};
inline constexpr int kMostPorts = 16;
using PortMask = uint16_t;
// Returns the mask of an attacked port, or 0 for other ports.
constexpr PortMask PortBit(int port) {
  for (size_t i = 0; i < kAttackedPorts.size(); ++i) {
    if (kAttackedPorts[i] == port) return 1u << i;
  }
  return 0;
}

// Returns the exploits red considers, given the ports it remembers of a host.
constexpr ExploitMask ExploitsOffered(PortMask ports) {
  constexpr PortMask kWeb = PortBit(80) | PortBit(443);
  // SQL injection needs a web port.
  if ((ports & kWeb) == 0) ports &= ~PortBit(3390);
  return ports;
}

struct HostFacts {
  Subnet subnet{};
  Unit unit{};
  bool windows = false;
  bool ssh_user = false;       // a password can be guessed
  int16_t weight_tenths = 0;   // cost per step of a privileged red session here
  uint8_t services = 0;        // number of listening services
  uint8_t shown_subnets = 0;   // bit s: escalating here reveals subnet s
  bool shows_service = false;  // escalating here reveals the service red is after
  HostMask shown_hosts = 0;    // addresses revealed by escalating here
  PortMask ports = 0;          // ports with a listening service
  // Attacked ports whose service is of the attacked kind; those of them where the exploit still
  // fails; and those whose service runs as root or SYSTEM.
  PortMask exploitable = 0;
  PortMask withstands = 0;
  PortMask privileged = 0;
};

// B_line's route onward from a host of the foothold's subnet.
struct BlineWay {
  Host enterprise = kNoHost;  // host whose address is found there
  Host last = kNoHost;        // third host of that host's subnet, which leads to the server
};

inline constexpr int kBlueKinds = 11;  // kinds of actions on a host; see blue_actions.h
inline constexpr int kFirstOnHost = 2;
inline constexpr int kMostBlueActions = kFirstOnHost + kBlueKinds * kMostHosts;

struct Network {
  HostMask all_hosts() const { return (1u << hosts) - 1; }
  int blue_actions() const { return kFirstOnHost + kBlueKinds * hosts; }
  int observation_bits() const { return 4 * hosts; }
  // Returns the bit position of a host's four bits in an observation.
  int shift(int host) const { return 4 * (hosts - 1 - host); }
  // Returns the sum of the weights of these hosts, in tenths.
  int WeightTenths(HostMask hosts) const { return low_sums[hosts & 0xff] + high_sums[hosts >> 8]; }
  // Computes sums, kinds and actions from `hosts` and `facts`.
  void Settle();

  int hosts = 0;
  int subnets = 0;
  Host foothold = kNoHost;  // red's first host, which it never loses
  Host server = kNoHost;    // host of the service red is after
  int server_down_tenths = 0;
  uint8_t guarded_subnets = 0;  // bit s: reached only with a session on an enterprise host
  uint8_t first_subnet = 0;     // bit s: the foothold's subnet
  // Hosts by kind, for red's agents and green. The original goes by names.
  HostMask enterprise_hosts = 0;
  HostMask operational_hosts = 0;
  HostMask user_hosts = 0;
  HostMask bline_users = 0;  // B_line's ways in
  std::array<HostFacts, kMostHosts> facts{};
  std::array<HostMask, kMostSubnets> subnet_hosts{};
  std::array<BlineWay, kMostHosts> bline_ways{};
  // Kind and host of each of blue's actions.
  std::array<int8_t, kMostBlueActions> action_kinds{};
  std::array<int8_t, kMostBlueActions> action_hosts{};
  // Weight sums of the lower and upper eight hosts: two small tables give any sum.
  std::array<uint16_t, 256> low_sums{};
  std::array<uint16_t, 256> high_sums{};

  int port_count = kExploits;
  std::array<int, kMostPorts> ports{};
  std::array<std::string, kMostHosts> names;
  std::array<std::string, kMostSubnets> subnet_names;
  std::string no_bline;  // why B_line cannot play here; empty if it can
};

// Returns the challenge's own network, Scenario2.
const Network& ShippedNetwork();

std::string_view NameOf(Unit unit);
std::string_view NameOf(Exploit exploit);
// Look up a name; throw an Error if it is unknown.
Exploit ExploitNamed(std::string_view name);
Host HostNamed(std::string_view name, const Network& network);
Subnet SubnetNamed(std::string_view name, const Network& network);
// Returns the mask of a port of the network, or 0 for other ports.
PortMask PortBitIn(const Network& network, int port);
// Formats the ports of a mask in ascending order, such as "22.80.443".
std::string PortsText(PortMask ports, const Network& network);

}  // namespace dray::cage2
