#include "src/envs/cage2/scenario/agents.h"

#include <algorithm>
#include <set>
#include <span>

#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {
namespace {

std::set<std::string> TextsIn(const Entry& list) {
  std::set<std::string> texts;
  for (const Entry& item : list.Items()) texts.insert(item.Text());
  return texts;
}

void CheckSubnets(const Entry& agent, const Network& network) {
  const auto allowed = agent.Find("AllowedSubnets");
  if (!allowed) return;
  const std::set<std::string> names = TextsIn(*allowed);
  for (const std::string& subnet : std::span(network.subnet_names).first(network.subnets)) {
    if (!names.contains(subnet))
      throw allowed->Refusal("lacks ", subnet, "; the rules keep no agent out of a subnet");
  }
}

void CheckBlueActions(const Entry& actions) {
  const std::vector<std::string_view> known = BlueKindNames();
  const std::vector<Entry> items = actions.Items();
  const bool same = std::ranges::equal(
      items, known, {}, [](const Entry& item) { return item.Text(); },
      [](std::string_view name) { return std::string(name); });
  if (same) return;
  std::string list;
  for (const std::string_view name : known) list += Cat(list.empty() ? "" : ", ", name);
  throw actions.Refusal("blue's actions are ", list, ", in this order");
}

void CheckBlue(const Entry& blue, const Network& network) {
  std::set<std::string> present;
  const Entry sessions = blue.At("starting_sessions");
  for (const Entry& session : sessions.Items()) present.insert(session.At("hostname").Text());
  for (const std::string& host : std::span(network.names).first(network.hosts)) {
    if (!present.contains(host))
      throw sessions.Refusal("none is on ", host, "; blue acts on every host");
  }
  if (const auto actions = blue.Find("actions")) CheckBlueActions(*actions);
  if (const auto reward = blue.Find("reward_calculator_type"))
    reward->OneOf({"HybridAvailabilityConfidentiality"});
}

void CheckRed(const Entry& red, const Network& network) {
  const std::string& foothold = network.names[network.foothold];
  if (const auto known = red.Find("INT")) {
    for (const auto& [name, host] : known->At("Hosts").Pairs()) {
      if (name != foothold)
        throw host.Refusal("red knows its foothold ", foothold, " alone when it begins");
    }
  }
  const auto actions = red.Find("actions");
  if (!actions) return;
  const std::set<std::string> names = TextsIn(*actions);
  for (const char* needed : {"DiscoverRemoteSystems", "DiscoverNetworkServices",
                             "ExploitRemoteService", "PrivilegeEscalate", "Impact"}) {
    if (!names.contains(needed)) throw actions->Refusal("lacks ", needed, ", which red needs");
  }
}

}  // namespace

Host ReadFoothold(const Entry& agents, const Network& network) {
  const Entry list = agents.At("Red").At("starting_sessions");
  const std::vector<Entry> sessions = list.Items();
  if (sessions.size() != 1) {
    throw list.Refusal("the rules have one foothold of red's, this has ",
                       sessions.empty() ? "none" : std::to_string(sessions.size()));
  }
  const Entry& session = sessions.front();
  session.At("type").OneOf({"RedAbstractSession"});
  const Entry named = session.At("hostname");
  const auto& names = network.names;
  const auto place = std::ranges::find(names, named.Text()) - names.begin();
  if (place >= network.hosts)
    throw named.Refusal("there is no host ", named.Text(), " among Hosts");
  const HostFacts& facts = network.facts[place];
  if (facts.unit != Unit::kUser) throw named.Refusal("red's foothold must be a User host");
  const std::string_view privileged = facts.windows ? "SYSTEM" : "root";
  session.At("username").OneOf({privileged});
  return Enumerator<Host>(place);
}

void CheckAgents(const Entry& agents, const Network& network) {
  for (const auto& [name, agent] : agents.Pairs({"Blue", "Green", "Red"})) {
    CheckSubnets(agent, network);
  }
  CheckBlue(agents.At("Blue"), network);
  CheckRed(agents.At("Red"), network);
}

}  // namespace dray::cage2
