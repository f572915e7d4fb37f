#include "src/envs/cage2/reduced_actions.h"

#include <algorithm>
#include <bit>

#include "src/base/error.h"
#include "src/envs/cage2/blue.h"

namespace dray::cage2 {
namespace {

using enum BlueKind;

// The order in which the team places the decoys that fit on a kind of host.
struct Preference {
  Unit unit;
  std::vector<BlueKind> decoys;
};

const std::vector<Preference>& Preferences() {
  static const std::vector<Preference> preferences = {
      {Unit::kEnterprise, {kDecoyHaraka, kDecoyTomcat, kDecoyVsftpd, kDecoyApache}},
      {Unit::kEnterprise, {kDecoyFemitter}},
      {Unit::kUser, {kDecoyApache, kDecoyTomcat, kDecoySmss, kDecoySvchost}},
      {Unit::kUser, {kDecoyFemitter, kDecoyTomcat, kDecoyApache, kDecoySshd}},
      {Unit::kUser, {kDecoyVsftpd, kDecoySshd}},
      {Unit::kUser, {kDecoyVsftpd}},
      {Unit::kDefender, {kDecoyHaraka, kDecoyTomcat, kDecoyApache, kDecoyVsftpd}},
      {Unit::kOpServer, {kDecoyHaraka, kDecoyApache, kDecoyTomcat, kDecoyVsftpd}},
  };
  return preferences;
}

// Order for sets of decoys that none of the team's hosts has: red's ranking of what they imitate.
constexpr std::array<BlueKind, 8> kByRank = {kDecoyFemitter, kDecoyHaraka, kDecoyTomcat,
                                             kDecoyApache,   kDecoyVsftpd, kDecoySmss,
                                             kDecoySvchost,  kDecoySshd};

std::vector<BlueKind> DecoysFor(int host, const Network& network) {
  std::vector<BlueKind> fitting;
  for (const BlueKind kind : kByRank) {
    if (Fits(kind, host, network)) fitting.push_back(kind);
  }
  for (const auto& [unit, decoys] : Preferences()) {
    if (unit == network.facts[host].unit && std::ranges::is_permutation(decoys, fitting)) {
      return decoys;
    }
  }
  return fitting;
}

// Returns the hosts of a kind, without the foothold.
std::vector<int> HostsOf(Unit unit, const Network& network) {
  std::vector<int> hosts;
  for (int host = 0; host < network.hosts; ++host) {
    if (network.facts[host].unit == unit && host != network.foothold) hosts.push_back(host);
  }
  return hosts;
}

uint8_t AllOf(const ReducedTable::DecoyList& list) { return (1u << list.actions.size()) - 1; }

}  // namespace

// Hosts in the order of the team's networks.
ReducedTable::ReducedTable(const Network& network) : network(&network) {
  const auto add = [&](BlueKind kind, const std::vector<int>& hosts) {
    for (const int host : hosts) plain.push_back(ActionId(kind, host, network));
  };
  const auto add_decoys = [&](const std::vector<int>& hosts) {
    for (const int host : hosts) {
      DecoyList list{.host = host, .actions = {}};
      for (const BlueKind decoy : DecoysFor(host, network))
        list.actions.push_back(ActionId(decoy, host, network));
      if (!list.actions.empty()) lists.push_back(std::move(list));
    }
  };
  const std::vector<int> enterprise = HostsOf(Unit::kEnterprise, network);
  const std::vector<int> servers = HostsOf(Unit::kOpServer, network);
  const std::vector<int> users = HostsOf(Unit::kUser, network);
  const std::vector<int> defenders = HostsOf(Unit::kDefender, network);
  for (const BlueKind kind : {kRestore, kAnalyse, kRemove}) {
    add(kind, enterprise);
    add(kind, servers);
  }
  add(kAnalyse, users);
  add(kRestore, users);
  for (const BlueKind kind : {kRestore, kAnalyse, kRemove}) add(kind, defenders);
  add(kRemove, users);
  for (const auto& hosts : {enterprise, users, defenders, servers}) add_decoys(hosts);
}

int ReducedActions::Take(int output, const ReducedTable& table) {
  DRAY_CHECK_GE(output, 0);
  DRAY_CHECK_LT(output, table.outputs());
  int action;
  if (output < std::ssize(table.plain)) {
    action = table.plain[output];
  } else {
    const size_t place = output - table.plain.size();
    const std::vector<int>& list = table.lists[place].actions;
    const size_t next = std::countr_one(used[place]);
    action = list[next < list.size() ? next : 0];
  }
  Note(action, table);
  return action;
}

void ReducedActions::Note(int action, const ReducedTable& table) {
  const BlueAction played = BlueActionOf(action, *table.network);
  for (size_t place = 0; place < table.lists.size(); ++place) {
    const ReducedTable::DecoyList& list = table.lists[place];
    if (list.host != played.host) continue;
    if (played.kind == kRestore) used[place] = 0;
    for (size_t i = 0; i < list.actions.size(); ++i) {
      if (list.actions[i] == action) used[place] |= 1u << i;
    }
  }
}

uint16_t ReducedActions::exhausted(const ReducedTable& table) const {
  unsigned mask = 0;
  for (size_t place = 0; place < table.lists.size(); ++place)
    mask |= static_cast<unsigned>(used[place] == AllOf(table.lists[place])) << place;
  return mask;
}

bool ReducedActions::Plausible(const ReducedTable& table) const {
  for (size_t place = 0; place < used.size(); ++place) {
    const unsigned known = place < table.lists.size() ? AllOf(table.lists[place]) : 0;
    if ((used[place] & ~known) != 0) return false;
  }
  return true;
}

}  // namespace dray::cage2
