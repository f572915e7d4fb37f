#include "src/envs/cage2/scenario/scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "src/envs/cage2/scenario/agents.h"
#include "src/envs/cage2/scenario/image.h"

namespace dray::cage2 {
namespace {

struct UnitName {
  std::string_view begin;
  Unit unit;
};

constexpr std::array<UnitName, kUnits> kUnitNames = {{{"Defender", Unit::kDefender},
                                                      {"Enterprise", Unit::kEnterprise},
                                                      {"Op_Server", Unit::kOpServer},
                                                      {"Op_Host", Unit::kOpHost},
                                                      {"User", Unit::kUser}}};

// CybORG's agents look for parts of names; a number after one of these words matches no other.
Unit UnitOf(const std::string& name, const Entry& host) {
  for (const auto& [begin, unit] : kUnitNames) {
    if (!name.starts_with(begin)) continue;
    if (std::all_of(name.begin() + begin.size(), name.end(),
                    [](char c) { return c >= '0' && c <= '9'; })) {
      return unit;
    }
  }
  throw host.Refusal(
      "a host's name tells its kind to the rules; use Defender, Enterprise, Op_Server, Op_Host or "
      "User, with a number");
}

int16_t TenthsOf(const Entry& host, const char* key) {
  constexpr std::array<int16_t, 4> kTenths = {0, 1, 10, 100};
  const auto value = host.Find(key);
  const int place = value ? value->OneOf({"None", "Low", "Medium", "High"}) : 1;
  return kTenths[place];
}

// Reads a scenario part by part.
class Reading {
 public:
  Reading(const Entry& scenario, const ImageSource& images)
      : scenario_(scenario), images_(images), hosts_(scenario.At("Hosts")) {}

  Network Read() {
    scenario_.Pairs({"Agents", "Hosts", "Images", "Subnets"});
    ReadHosts();
    PlacePorts();
    ReadSubnets();
    const Entry agents = scenario_.At("Agents");
    network_.foothold = ReadFoothold(agents, network_);
    CheckAgents(agents, network_);
    const Subnet first = facts(network_.foothold).subnet;
    network_.first_subnet = 1u << Index(first);
    for (const auto& [name, subnet] : scenario_.At("Subnets").Pairs()) ReadRoute(name, subnet);
    for (const auto& [name, host] : hosts_.Pairs()) {
      if (const auto info = host.Find("info")) ReadInfo(*info, facts(Named(name)));
    }
    network_.Settle();
    FindBlineWays();
    return std::move(network_);
  }

 private:
  HostFacts& facts(int host) { return network_.facts[host]; }

  int Named(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? int{kNoHost} : found->second;
  }

  int NamedIn(const std::string& name, const Entry& where) const {
    const int host = Named(name);
    if (host == kNoHost) throw where.Refusal("there is no host ", name, " among Hosts");
    return host;
  }

  void ReadHosts() {
    std::string before;
    for (const auto& [name, host] : hosts_.Pairs()) {
      if (network_.hosts == kMostHosts)
        throw host.Refusal("the rules have room for ", kMostHosts, " hosts, this is one more");
      if (name < before) {
        throw host.Refusal("stands behind ", before,
                           "; hosts are listed in alphabetical order, which is that of the "
                           "observation");
      }
      before = name;
      places_[name] = network_.hosts;
      network_.names[network_.hosts] = name;
      ReadHost(name, host, network_.hosts++);
    }
    if (network_.server == kNoHost) {
      throw hosts_.Refusal("no image has the service ", kServerService,
                           "; red needs a server to strike");
    }
  }

  void ReadHost(const std::string& name, const Entry& host, int place) {
    host.Pairs({"AWS_Info", "AvailabilityValue", "ConfidentialityValue", "image", "info"});
    const Entry named = host.At("image");
    const Image image = ReadImage(images_(named.Text(), named));
    HostFacts& facts = this->facts(place);
    facts.unit = UnitOf(name, host);
    facts.windows = image.windows;
    facts.ssh_user = image.ssh_user;
    facts.weight_tenths = TenthsOf(host, "ConfidentialityValue");
    facts.services = image.services.size();
    services_.push_back(image.services);
    const int16_t availability = TenthsOf(host, "AvailabilityValue");
    if (!image.runs_server) return;
    if (network_.server != kNoHost) {
      throw named.Refusal("a second host with the service ", kServerService, ", beside ",
                          network_.names[network_.server], "; the rules have one server");
    }
    if (facts.unit != Unit::kOpServer)
      throw named.Refusal("the host with the service ", kServerService, " must be an Op_Server");
    network_.server = Enumerator<Host>(place);
    network_.server_down_tenths = availability;
  }

  // Attacked ports have fixed indices; the others follow in order.
  void PlacePorts() {
    std::ranges::copy(kAttackedPorts, network_.ports.begin());
    std::set<int> others;
    for (const auto& services : services_) {
      for (const Service& service : services) {
        if (PortBit(service.port) == 0) others.insert(service.port);
      }
    }
    for (const int port : others) {
      if (network_.port_count == kMostPorts) {
        throw hosts_.Refusal("their images open more than ", kMostPorts - kExploits,
                             " ports that no exploit attacks; port ", port, " is one more");
      }
      network_.ports[network_.port_count++] = port;
    }
    for (int host = 0; host < network_.hosts; ++host) {
      for (const Service& service : services_[host]) Add(service, facts(host));
    }
  }

  // An exploit takes the first of several matching services.
  void Add(const Service& service, HostFacts& facts) const {
    facts.ports |= PortBitIn(network_, service.port);
    const PortMask attacked = service.attacked_by & ~facts.exploitable;
    facts.exploitable |= attacked;
    if (service.withstands) facts.withstands |= attacked;
    if (service.privileged) facts.privileged |= attacked;
  }

  void ReadSubnets() {
    const Entry subnets = scenario_.At("Subnets");
    std::vector<std::string> of_host(network_.hosts);
    for (const auto& [name, subnet] : subnets.Pairs()) {
      subnet.Pairs({"Hosts", "NACLs", "Size"});
      for (const Entry& member : subnet.At("Hosts").Items()) {
        const int host = NamedIn(member.Text(), member);
        std::string& mine = of_host[host];
        if (!mine.empty()) {
          throw member.Refusal(member.Text(), " is in ", mine,
                               " already; the rules have one subnet for a host");
        }
        mine = name;
        lists_[name].push_back(Enumerator<Host>(host));
      }
    }
    // Subnets are in the order of their first hosts, as Meander finds them.
    for (int host = 0; host < network_.hosts; ++host) {
      const std::string& name = of_host[host];
      if (name.empty()) throw subnets.Refusal("none has the host ", network_.names[host]);
      const int place = PlaceOf(name, subnets);
      facts(host).subnet = Enumerator<Subnet>(place);
      network_.subnet_hosts[place] |= Bit(host);
    }
  }

  int PlaceOf(const std::string& subnet, const Entry& subnets) {
    const auto begin = network_.subnet_names.begin(), end = begin + network_.subnets;
    const auto found = std::find(begin, end, subnet);
    if (found != end) return found - begin;
    if (network_.subnets == kMostSubnets)
      throw subnets.Refusal("the rules have room for ", kMostSubnets, " subnets, ", subnet,
                            " is one more");
    network_.subnet_names[network_.subnets] = subnet;
    return network_.subnets++;
  }

  // Red acts only from its foothold, so only the rights of traffic from there matter. As in CybORG,
  // a session on an Enterprise host opens the subnets that refuse it.
  void ReadRoute(const std::string& name, const Entry& subnet) {
    const int first = Index(facts(network_.foothold).subnet);
    const std::string& from = network_.subnet_names[first];
    const Entry rights = subnet.At("NACLs");
    const auto special = rights.Find(from);
    const auto general = rights.Find("all");
    if (!special && !general) {
      throw rights.Refusal("has neither ", from,
                           " nor all; the rules need one of them, with in: ", "all or, of ", from,
                           ", in: None");
    }
    const Entry in = (special ? *special : *general).At("in");
    const std::string text = in.IsList() ? "a list" : in.Text();
    if (text != "all" && !(special && text == "None")) {
      throw in.Refusal("the rules know all", special ? " and None" : "", ", not ", text);
    }
    const auto& subnets = network_.subnet_names;
    const auto place = std::ranges::find(subnets, name) - subnets.begin();
    if (text == "None") network_.guarded_subnets |= 1u << place;
  }

  // Reads what an escalation on the host reveals to red.
  void ReadInfo(const Entry& info, HostFacts& facts) {
    for (const auto& [name, shown] : info.Pairs()) {
      const int host = NamedIn(name, shown);
      shown.Pairs({"Interfaces", "Services"});
      if (const auto interfaces = shown.Find("Interfaces")) {
        facts.shown_hosts |= Bit(host);
        if (interfaces->OneOf({"All", "IP Address"}) == 0) {
          const int subnet = Index(this->facts(host).subnet);
          facts.shown_subnets |= 1u << subnet;
        }
      }
      const auto services = shown.Find("Services");
      if (!services) continue;
      for (const Entry& service : services->Items()) {
        service.OneOf({kServerService, "All"});
        facts.shows_service |= host == network_.server;
      }
    }
  }

  // B_line takes the first Enterprise host that the escalation on a host of its own subnet shows,
  // then the third of that one's subnet, which has to show the server.
  void FindBlineWays() {
    const int first = Index(facts(network_.foothold).subnet);
    network_.bline_users = network_.subnet_hosts[first] & ~Bit(network_.foothold);
    if (network_.bline_users == 0) network_.no_bline = "the foothold's subnet has no other host";
    for (int user = 0; user < network_.hosts; ++user) {
      if ((network_.bline_users & Bit(user)) == 0) continue;
      BlineWay& way = network_.bline_ways[user];
      const std::string missing = FindBlineWay(user, way);
      if (missing.empty()) continue;
      network_.no_bline = missing;
      return;
    }
  }

  // Returns what is missing, or an empty string.
  std::string FindBlineWay(int user, BlineWay& way) {
    const auto name = [&](int host) { return network_.names[host]; };
    const HostMask shown = facts(user).shown_hosts & network_.enterprise_hosts;
    if (shown == 0) return Cat(name(user), " leads to no Enterprise host: see its info");
    way.enterprise = Enumerator<Host>(__builtin_ctz(shown));
    const int subnet = Index(facts(way.enterprise).subnet);
    const std::string& subnet_name = network_.subnet_names[subnet];
    if ((network_.guarded_subnets >> subnet & 1) != 0)
      return Cat("there is no way into ", subnet_name, ", the subnet of ", name(way.enterprise));
    const std::vector<Host>& list = lists_[subnet_name];
    if (list.size() < 3) return Cat("the subnet ", subnet_name, " has no third host");
    way.last = list[2];
    if ((facts(way.last).shown_hosts & Bit(network_.server)) == 0) {
      return Cat(name(way.last), ", the third host of ", subnet_name, ", does not lead to ",
                 name(network_.server), ": see its info");
    }
    return "";
  }

  const Entry& scenario_;
  const ImageSource& images_;
  const Entry hosts_;
  Network network_;
  std::map<std::string, int> places_;
  std::map<std::string, std::vector<Host>> lists_;  // hosts of a subnet, in the file's order
  std::vector<std::vector<Service>> services_;      // indexed by host
};

}  // namespace

Network ReadNetwork(const Entry& scenario, const ImageSource& images) {
  return Reading(scenario, images).Read();
}

}  // namespace dray::cage2
