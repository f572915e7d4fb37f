#include "src/envs/cage2/network.h"

#include <algorithm>
#include <span>
#include <vector>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

constexpr std::array<std::string_view, kExploits> kExploitNames = {
    "FTPDirectoryTraversal", "HarakaRCE", "SQLInjection", "HTTPSRFI", "HTTPRFI",
    "EternalBlue",           "BlueKeep",  "SSHBruteForce"};

constexpr std::array<std::string_view, kUnits> kUnitWords = {"defender", "enterprise", "op_server",
                                                             "op_host", "user"};

template <typename Names>
int PlaceOf(std::string_view name, const Names& names, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string_view each : names) known += Cat(known.empty() ? "" : ", ", each);
    throw UsageError("'", name, "' is not a known ", what, "; expected one of ", known);
  }
  return found - names.begin();
}

void SumWeights(const Network& network, int first, std::array<uint16_t, 256>& sums) {
  for (unsigned hosts = 0; hosts < sums.size(); ++hosts) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) {
      if ((hosts >> i & 1) != 0) sum += network.facts[first + i].weight_tenths;
    }
    sums[hosts] = sum;
  }
}

}  // namespace

void Network::Settle() {
  enterprise_hosts = operational_hosts = user_hosts = 0;
  for (int host = 0; host < hosts; ++host) {
    const Unit unit = facts[host].unit;
    if (unit == Unit::kEnterprise) enterprise_hosts |= Bit(host);
    if (unit == Unit::kUser) user_hosts |= Bit(host);
    if (unit == Unit::kOpHost || unit == Unit::kOpServer) operational_hosts |= Bit(host);
  }
  action_kinds.fill(-1);
  action_hosts.fill(kNoHost);
  action_kinds[0] = -2;  // sleep; monitor is next
  for (int i = 0; i < kBlueKinds * hosts; ++i) {
    action_kinds[kFirstOnHost + i] = i / hosts;
    action_hosts[kFirstOnHost + i] = i % hosts;
  }
  SumWeights(*this, 0, low_sums);
  SumWeights(*this, 8, high_sums);
}

std::string_view NameOf(Unit unit) { return kUnitWords[Index(unit)]; }

std::string_view NameOf(Exploit exploit) {
  return exploit == Exploit::kNone ? "none" : kExploitNames[Index(exploit)];
}

Exploit ExploitNamed(std::string_view name) {
  return Enumerator<Exploit>(PlaceOf(name, kExploitNames, "exploit"));
}

Host HostNamed(std::string_view name, const Network& network) {
  const std::span names(network.names);
  return Enumerator<Host>(PlaceOf(name, names.first(network.hosts), "host"));
}

Subnet SubnetNamed(std::string_view name, const Network& network) {
  const std::span names(network.subnet_names);
  return Enumerator<Subnet>(PlaceOf(name, names.first(network.subnets), "subnet"));
}

PortMask PortBitIn(const Network& network, int port) {
  const auto end = network.ports.begin() + network.port_count;
  const auto found = std::find(network.ports.begin(), end, port);
  return found == end ? 0 : 1u << (found - network.ports.begin());
}

std::string PortsText(PortMask ports, const Network& network) {
  std::vector<int> sorted;
  for (size_t i = 0; i < network.ports.size(); ++i) {
    if ((ports >> i) & 1) sorted.push_back(network.ports[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const int port : sorted) text += Cat(text.empty() ? "" : ".", port);
  return text;
}

}  // namespace dray::cage2
