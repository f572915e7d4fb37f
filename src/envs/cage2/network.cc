#include "src/envs/cage2/network.h"

#include <algorithm>
#include <span>
#include <vector>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// What an exploit has to match; kOther matches none.
enum class Kind { kOther, kFtp, kSmtp, kMysql, kWeb, kSmb, kRdp, kSsh };
enum class As { kUser, kRoot };

struct Service {
  int port;
  Kind kind = Kind::kOther;
  As as = As::kUser;
};

// The kind of service that each exploit attacks.
constexpr std::array<Kind, kExploits> kAttacked = {Kind::kFtp, Kind::kSmtp, Kind::kMysql,
                                                   Kind::kWeb, Kind::kWeb,  Kind::kSmb,
                                                   Kind::kRdp, Kind::kSsh};

constexpr std::array<std::string_view, kExploits> kExploitNames = {
    "FTPDirectoryTraversal", "HarakaRCE", "SQLInjection", "HTTPSRFI", "HTTPRFI",
    "EternalBlue",           "BlueKeep",  "SSHBruteForce"};

constexpr std::array<std::string_view, kSubnets> kSubnetNames = {"Enterprise", "Operational",
                                                                 "User"};

// Services by disk image. Two of the original's bugs live here and are kept: port 139 of "internal"
// is not smb, so EternalBlue always fails there; and mysql of "linux user 1" listens on 3389, so
// BlueKeep is offered there and always fails, and SQLInjection never is.
constexpr Service kVelociraptor[] = {{22, Kind::kSsh}, {53}, {53}, {68}};
constexpr Service kGateway[] = {{22, Kind::kSsh}};
constexpr Service kInternal[] = {{22, Kind::kSsh},
                                 {135},
                                 {3389, Kind::kRdp, As::kRoot},
                                 {445},
                                 {139, Kind::kOther, As::kRoot},
                                 {80, Kind::kWeb},
                                 {443, Kind::kWeb}};
constexpr Service kWindowsUser1[] = {{22, Kind::kSsh}, {21, Kind::kFtp, As::kRoot}};
constexpr Service kWindowsUser2[] = {
    {445, Kind::kSmb}, {139, Kind::kSmb, As::kRoot}, {135}, {3389, Kind::kRdp}};
constexpr Service kLinuxUser1[] = {{80, Kind::kWeb},
                                   {3389, Kind::kMysql, As::kRoot},
                                   {443, Kind::kWeb},
                                   {25, Kind::kSmtp, As::kRoot}};
constexpr Service kLinuxUser2[] = {{22, Kind::kSsh},
                                   {80, Kind::kWeb},
                                   {3390, Kind::kMysql, As::kRoot},
                                   {443, Kind::kWeb},
                                   {25, Kind::kSmtp, As::kRoot}};

enum class Os { kLinux, kWindows };
// Whether a password guesser finds a user. Only Defender has none, so its ssh never gives in.
enum class Guessable { kNo, kYes };

constexpr HostFacts Facts(std::string_view name, Subnet subnet, Os os, Guessable user,
                          int weight_tenths, Host linked, std::span<const Service> services) {
  HostFacts facts = {.name = name,
                     .subnet = subnet,
                     .windows = os == Os::kWindows,
                     .ssh_user = user == Guessable::kYes,
                     .weight_tenths = weight_tenths,
                     .linked = linked,
                     .services = static_cast<uint8_t>(services.size()),
                     .ports = 0,
                     .exploitable = 0,
                     .privileged = 0};
  for (const Service& service : services) {
    const PortMask bit = PortBit(service.port);
    facts.ports |= bit;
    for (int i = 0; i < kExploits; ++i) {
      if (kPorts[i] != service.port || kAttacked[i] != service.kind) continue;
      facts.exploitable |= bit;
      if (service.as == As::kRoot) facts.privileged |= bit;
    }
  }
  return facts;
}

template <typename Names>
int PlaceOf(std::string_view name, const Names& names, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string_view each : names) known += Cat(known.empty() ? "" : ", ", each);
    throw UsageError("'", name, "' is no ", what, "; expected one of ", known);
  }
  return static_cast<int>(found - names.begin());
}

}  // namespace

constexpr Subnet kEnt = Subnet::kEnterprise;
constexpr Subnet kOp = Subnet::kOperational;
constexpr Subnet kUsr = Subnet::kUser;
constexpr Os kLin = Os::kLinux;
constexpr Os kWin = Os::kWindows;
constexpr Guessable kYes = Guessable::kYes;

constexpr std::array<HostFacts, kHosts> kNetwork = {
    Facts("Defender", kEnt, kLin, Guessable::kNo, 1, kNoHost, kVelociraptor),
    Facts("Enterprise0", kEnt, kLin, kYes, 10, kNoHost, kGateway),
    Facts("Enterprise1", kEnt, kWin, kYes, 10, kNoHost, kInternal),
    Facts("Enterprise2", kEnt, kWin, kYes, 10, kOpServer0, kInternal),
    Facts("Op_Host0", kOp, kLin, kYes, 1, kNoHost, kGateway),
    Facts("Op_Host1", kOp, kLin, kYes, 1, kNoHost, kGateway),
    Facts("Op_Host2", kOp, kLin, kYes, 1, kNoHost, kGateway),
    Facts("Op_Server0", kOp, kLin, kYes, 10, kNoHost, kGateway),
    Facts("User0", kUsr, kWin, kYes, 0, kNoHost, kWindowsUser1),
    Facts("User1", kUsr, kWin, kYes, 1, kEnterprise1, kWindowsUser1),
    Facts("User2", kUsr, kWin, kYes, 1, kEnterprise1, kWindowsUser2),
    Facts("User3", kUsr, kLin, kYes, 1, kEnterprise0, kLinuxUser1),
    Facts("User4", kUsr, kLin, kYes, 1, kEnterprise0, kLinuxUser2),
};

constinit const std::array<HostMask, kSubnets> kSubnetHosts = {kEnterpriseHosts | Bit(kDefender),
                                                               kOperationalHosts, kUserHosts};

// Half of the hosts at a time, so that two small tables give any sum.
constexpr int kHalf = 7;

constexpr std::array<uint8_t, 1u << kHalf> SumsFrom(int first) {
  std::array<uint8_t, 1u << kHalf> sums{};
  for (unsigned hosts = 0; hosts < sums.size(); ++hosts) {
    for (int i = 0; i < kHalf && first + i < kHosts; ++i) {
      if ((hosts >> i & 1) != 0)
        sums[hosts] = static_cast<uint8_t>(sums[hosts] + kNetwork[first + i].weight_tenths);
    }
  }
  return sums;
}

constexpr std::array<uint8_t, 1u << kHalf> kFirstSums = SumsFrom(0);
constexpr std::array<uint8_t, 1u << kHalf> kLastSums = SumsFrom(kHalf);

int WeightTenths(HostMask hosts) {
  return kFirstSums[hosts & ((1u << kHalf) - 1)] + kLastSums[hosts >> kHalf];
}

std::string_view NameOf(Subnet subnet) { return kSubnetNames[static_cast<int>(subnet)]; }

std::string_view NameOf(Exploit exploit) {
  return exploit == Exploit::kNone ? "none" : kExploitNames[static_cast<int>(exploit)];
}

Host HostNamed(std::string_view name) {
  std::vector<std::string_view> names;
  for (const HostFacts& facts : kNetwork) names.push_back(facts.name);
  return static_cast<Host>(PlaceOf(name, names, "host"));
}

Subnet SubnetNamed(std::string_view name) {
  return static_cast<Subnet>(PlaceOf(name, kSubnetNames, "subnet"));
}

Exploit ExploitNamed(std::string_view name) {
  return static_cast<Exploit>(PlaceOf(name, kExploitNames, "exploit"));
}

std::string PortsText(PortMask ports) {
  std::vector<int> sorted;
  for (size_t i = 0; i < kPorts.size(); ++i) {
    if ((ports >> i) & 1) sorted.push_back(kPorts[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const int port : sorted) text += Cat(text.empty() ? "" : ".", port);
  return text;
}

}  // namespace dray::cage2
