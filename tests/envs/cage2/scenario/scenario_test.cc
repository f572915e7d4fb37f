#include "src/envs/cage2/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/envs/cage2/scenario/shipped_scenario.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct ExpectedHost {
  const char* name;
  Subnet subnet;
  bool windows;
  bool ssh_user;
  int weight_tenths;
  Host shows;
  int services;
  const char* ports;
  const char* exploitable;
  const char* privileged;
};

constexpr Subnet kEnt = kEnterpriseSubnet, kOp = kOperationalSubnet, kUsr = kUserSubnet;

// What the rules were written for.
constexpr ExpectedHost kExpected[] = {
    {"Defender", kEnt, false, false, 1, kNoHost, 4, "22.53.68", "22", ""},
    {"Enterprise0", kEnt, false, true, 10, kNoHost, 1, "22", "22", ""},
    {"Enterprise1", kEnt, true, true, 10, kNoHost, 7, "22.80.135.139.443.445.3389",
     "22.80.443.3389", "3389"},
    {"Enterprise2", kEnt, true, true, 10, kOpServer0, 7, "22.80.135.139.443.445.3389",
     "22.80.443.3389", "3389"},
    {"Op_Host0", kOp, false, true, 1, kNoHost, 1, "22", "22", ""},
    {"Op_Host1", kOp, false, true, 1, kNoHost, 1, "22", "22", ""},
    {"Op_Host2", kOp, false, true, 1, kNoHost, 1, "22", "22", ""},
    {"Op_Server0", kOp, false, true, 10, kNoHost, 1, "22", "22", ""},
    {"User0", kUsr, true, true, 0, kNoHost, 2, "21.22", "21.22", "21"},
    {"User1", kUsr, true, true, 1, kEnterprise1, 2, "21.22", "21.22", "21"},
    {"User2", kUsr, true, true, 1, kEnterprise1, 4, "135.139.445.3389", "139.3389", "139"},
    {"User3", kUsr, false, true, 1, kEnterprise0, 4, "25.80.443.3389", "25.80.443", "25"},
    {"User4", kUsr, false, true, 1, kEnterprise0, 5, "22.25.80.443.3390", "22.25.80.443.3390",
     "25.3390"},
};

TEST(Scenario, TheShippedOneIsScenario2) {
  const Network& network = ShippedNetwork();
  ASSERT_EQ(network.hosts, kHosts);
  for (int host = 0; host < kHosts; ++host) {
    const ExpectedHost& expected = kExpected[host];
    const HostFacts& facts = FactsOf(host);
    SCOPED_TRACE(expected.name);
    EXPECT_EQ(network.names[host], expected.name);
    EXPECT_EQ(facts.subnet, expected.subnet);
    EXPECT_EQ(facts.windows, expected.windows);
    EXPECT_EQ(facts.ssh_user, expected.ssh_user);
    EXPECT_EQ(facts.weight_tenths, expected.weight_tenths);
    EXPECT_EQ(facts.shown_hosts & ~Bit(host), expected.shows == kNoHost ? 0 : Bit(expected.shows));
    EXPECT_EQ(facts.shown_subnets, host == kDefender ? 0 : 1 << static_cast<int>(facts.subnet));
    EXPECT_EQ(facts.shows_service, host == kOpServer0);
    EXPECT_EQ(facts.services, expected.services);
    EXPECT_EQ(PortsText(facts.ports), expected.ports);
    EXPECT_EQ(PortsText(facts.exploitable), expected.exploitable);
    EXPECT_EQ(PortsText(facts.privileged), expected.privileged);
    EXPECT_EQ(facts.withstands, 0);
  }
}

TEST(Scenario, TheShippedOneHasItsSubnetsAndEnds) {
  const Network& network = ShippedNetwork();
  ASSERT_EQ(network.subnets, 3);
  EXPECT_EQ(network.subnet_names[0], "Enterprise");
  EXPECT_EQ(network.subnet_names[1], "Operational");
  EXPECT_EQ(network.subnet_names[2], "User");
  EXPECT_EQ(network.subnet_hosts[0], kEnterpriseHosts | Bit(kDefender));
  EXPECT_EQ(network.subnet_hosts[1], kOperationalHosts);
  EXPECT_EQ(network.subnet_hosts[2], kUserHosts);
  EXPECT_EQ(network.guarded_subnets, 1 << static_cast<int>(kOperationalSubnet));
  EXPECT_EQ(network.foothold, kUser0);
  EXPECT_EQ(network.server, kOpServer0);
  EXPECT_EQ(network.server_down_tenths, 100);
  EXPECT_EQ(network.enterprise_hosts, kEnterpriseHosts);
  EXPECT_EQ(network.operational_hosts, kOperationalHosts);
  EXPECT_EQ(network.user_hosts, kUserHosts);
  EXPECT_EQ(network.blue_actions(), kBlueActions);
  EXPECT_EQ(network.no_bline, "");
  EXPECT_EQ(network.bline_users, kUserHosts & ~Bit(kUser0));
  for (int user = kUser1; user <= kUser4; ++user) {
    EXPECT_EQ(network.bline_ways[user].enterprise, user < kUser3 ? kEnterprise1 : kEnterprise0);
    EXPECT_EQ(network.bline_ways[user].last, kEnterprise2);
  }
}

// The shipped scenario with one text replaced, wherever it stands first.
std::string With(const std::string& old, const std::string& replacement) {
  std::string text = ShippedFile("scenario2.yaml").value();
  const size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), replacement);
}

std::string RefusalOf(const std::string& text) {
  try {
    NetworkOf(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

struct Refused {
  const char* old;
  const char* replacement;
  const char* key;
  const char* reason;
};

constexpr char kFoothold[] =
    "      - {hostname: User0, name: RedPhish, type: RedAbstractSession, username: SYSTEM}\n";

const Refused kRefused[] = {
    {kFoothold, "", "Agents.Red.starting_sessions", "one foothold of red's, this has none"},
    {kFoothold,
     "      - {hostname: User0, type: RedAbstractSession, username: SYSTEM}\n"
     "      - {hostname: User1, type: RedAbstractSession, username: SYSTEM}\n",
     "Agents.Red.starting_sessions", "one foothold of red's, this has 2"},
    {"type: RedAbstractSession", "type: MetasploitServer", "Agents.Red.starting_sessions[0].type",
     "'MetasploitServer' is not known"},
    {"hostname: User0, name: RedPhish", "hostname: User9, name: RedPhish",
     "Agents.Red.starting_sessions[0].hostname", "there is no host User9"},
    {"hostname: User0, name: RedPhish", "hostname: Op_Host0, name: RedPhish",
     "Agents.Red.starting_sessions[0].hostname", "must be a User host"},
    {"RedAbstractSession, username: SYSTEM", "RedAbstractSession, username: vagrant",
     "Agents.Red.starting_sessions[0].username", "use SYSTEM"},
    {"        User0: {Interfaces", "        User1: {Interfaces", "Agents.Red.INT.Hosts.User1",
     "red knows its foothold User0 alone"},
    {"      - {hostname: User4, name: VeloUser4, parent: VeloServer, type: VelociraptorClient, "
     "username: ubuntu}\n",
     "", "Agents.Blue.starting_sessions", "none is on User4"},
    {"  Blue:\n", "  Blue:\n    actions: [Sleep]\n", "Agents.Blue.actions", "in this order"},
    {"  Blue:\n", "  Blue:\n    AllowedSubnets: [User]\n", "Agents.Blue.AllowedSubnets",
     "lacks Enterprise"},
    {"  Red:\n", "  Red:\n    actions: [Sleep]\n", "Agents.Red.actions",
     "lacks DiscoverRemoteSystems"},
    {"  Blue:\n", "  Purple: {}\n  Blue:\n", "Agents.Purple", "known here: Blue, Green or Red"},
    {"image: OP_Server", "image: Gateway", "Hosts", "no image has the service OTService"},
    {"  User0:\n    image: windows_user_host1", "  User0:\n    image: OP_Server",
     "Hosts.User0.image", "a second host with the service OTService, beside Op_Server0"},
    {"  User4:\n    image", "  Kiosk:\n    image", "Hosts.Kiosk", "alphabetical order"},
    {"  Defender:\n    image", "  Camera:\n    image", "Hosts.Camera", "tells its kind"},
    {"image: Internal", "image: Toaster", "Hosts.Enterprise1.image", "there is no image Toaster"},
    {"ConfidentialityValue: None", "ConfidentialityValue: Huge", "Hosts.User0.ConfidentialityValue",
     "use None, Low, Medium or High"},
    {"ConfidentialityValue: None", "Confidentiality: None", "Hosts.User0.Confidentiality",
     "is not a known key"},
    {"Op_Server0: {Interfaces: IP Address}", "Op_Server9: {Interfaces: IP Address}",
     "Hosts.Enterprise2.info.Op_Server9", "there is no host Op_Server9"},
    {"Op_Server0: {Interfaces: IP Address}", "Op_Server0: {System info: All}",
     "Hosts.Enterprise2.info.Op_Server0.System info", "is not a known key"},
    {"Hosts: [User0, User1, User2, User3, User4]", "Hosts: [User0, User1, User2, User3]", "Subnets",
     "none has the host User4"},
    {"Hosts: [User0,", "Hosts: [Defender, User0,", "Subnets.User.Hosts[0]",
     "Defender is in Enterprise already"},
    {"User: {in: None, out: all}", "User: {in: [{PortRange: [22, 23]}], out: all}",
     "Subnets.Operational.NACLs.User.in", "the rules know all and None, not a list"},
    {"      all: {in: all, out: all}", "      all: {in: None, out: all}",
     "Subnets.Enterprise.NACLs.all.in", "the rules know all, not None"},
    {"      all: {in: all, out: all}", "      Enterprise: {in: all, out: all}",
     "Subnets.Enterprise.NACLs", "has neither User nor all"},
};

TEST(Scenario, WhatTheRulesCannotExpressIsRefusedByName) {
  for (const Refused& refused : kRefused) {
    const std::string refusal = RefusalOf(With(refused.old, refused.replacement));
    EXPECT_THAT(refusal, AllOf(StartsWith("env.cage2.scenario:"),
                               HasSubstr(Cat(": ", refused.key, ": ")), HasSubstr(refused.reason)))
        << refused.replacement;
  }
}

TEST(Scenario, RefusesMoreHostsThanAnObservationHasRoomFor) {
  std::string more;
  for (int i = 5; i < 9; ++i) more += Cat("  User", i, ":\n    image: Gateway\n");
  EXPECT_THAT(RefusalOf(With("\n# Who is in which subnet", more + "\n# Who is in which subnet")),
              AllOf(HasSubstr(": Hosts.User8: "), HasSubstr("room for 16 hosts")));
}

// The shipped scenario, whose Enterprise0 is installed from this image.
std::string WithImage(const std::string& processes, const std::string& rest) {
  return Cat(With("image: Gateway", "image: own"), "Images:\n  own:\n    Processes:\n", processes,
             rest);
}

constexpr char kLinux[] = "    System info: {OSType: LINUX}\n";
constexpr char kSshd[] = "      - {Process Name: sshd, Connections: [{local_port: 22}]}\n";

TEST(Scenario, WhatNoImageCanHaveIsRefusedByName) {
  const auto refusal = [](const std::string& processes, const std::string& rest = kLinux) {
    return RefusalOf(WithImage(processes, rest));
  };
  const std::string process = "      - {Connections: [{local_port: ";
  EXPECT_THAT(
      refusal(process + "22}], Process Type: gopher}\n"),
      AllOf(HasSubstr("Images.own.Processes[0].Process Type: 'gopher' is not a supported kind of"),
            HasSubstr("webserver, smb or rdp")));
  EXPECT_THAT(refusal(process + "25}], Process Type: smtp}\n"),
              HasSubstr("Images.own.Processes[0]: Process Version is missing"));
  EXPECT_THAT(refusal(process + "25}], Process Type: smtp, Process Version: haraka 2.8.9}\n"),
              HasSubstr("one mail server, haraka 2.7.0"));
  EXPECT_THAT(refusal(process + "22}], Username: SYSTEM}\n"),
              HasSubstr("SYSTEM has no privileges"));
  EXPECT_THAT(refusal(process + "ssh}]}\n"), HasSubstr("expected a whole number, found 'ssh'"));
  EXPECT_THAT(refusal("      - {Process Name: init}\n"), HasSubstr("nothing listens on a port"));
  EXPECT_THAT(refusal(kSshd, "    System info: {OSType: PLAN9}\n"),
              HasSubstr("Images.own.System info.OSType: 'PLAN9' is not known"));
  EXPECT_THAT(refusal(kSshd, "    System info: {OSType: WINDOWS, Patches: [MS17_010]}\n"),
              HasSubstr("the rules know no patches"));
  EXPECT_THAT(
      refusal(kSshd, Cat(kLinux, "    User Info: [{Username: root, Bruteforceable: True}]\n")),
      HasSubstr("a guessed user has no privileges"));
  EXPECT_THAT(refusal(kSshd, Cat(kLinux, "    Services: {Printer: {active: True, PID: 1}}\n")),
              HasSubstr("one service by name, OTService"));
  std::string many;
  for (int port = 8001; port < 8009; ++port) many += Cat(process, port, "}]}\n");
  EXPECT_THAT(refusal(many), HasSubstr("more than 8 ports that no exploit attacks"));
}

TEST(Scenario, AServiceThatFitsAnExploitMayWithstandIt) {
  const std::string web = "      - {Process Type: webserver, Connections: [{local_port: 80}]}\n";
  const std::string smb = "      - {Process Type: smb, Connections: [{local_port: 139}]}\n";
  const HostFacts& facts = NetworkOf(WithImage(kSshd + web + smb, kLinux)).facts[kEnterprise0];
  EXPECT_EQ(PortsText(facts.exploitable), "22.80.139");
  EXPECT_EQ(PortsText(facts.withstands), "80.139");
}

TEST(Scenario, AnExploitTakesTheFirstServiceThatFits) {
  const std::string web =
      "      - {Process Type: http, Properties: rfi, Connections: [{local_port: 80}]}\n"
      "      - {Process Type: http, Username: root, Connections: [{local_port: 80}]}\n";
  const HostFacts& facts = NetworkOf(WithImage(web, kLinux)).facts[kEnterprise0];
  EXPECT_EQ(facts.services, 2);
  EXPECT_EQ(facts.withstands, 0);
  EXPECT_EQ(facts.privileged, 0);
}

TEST(Scenario, ThePathOfBlineMustLeadToTheServer) {
  const auto reason = [](const std::string& text) { return NetworkOf(text).no_bline; };
  EXPECT_EQ(reason(With("      Enterprise1: {Interfaces: IP Address}\n", "")),
            "User1 leads to no Enterprise host: see its info");
  EXPECT_EQ(reason(With("[Enterprise0, Enterprise1, Enterprise2, Defender]",
                        "[Enterprise0, Enterprise2, Enterprise1, Defender]")),
            "Enterprise1, the third host of Enterprise, does not lead to Op_Server0: see its info");
}

TEST(Scenario, ADamagedFileIsRefusedWithItsLine) {
  const std::string file = testing::TempDir() + "/damaged.yaml";
  WriteFileAtomically(file, "Agents:\n  Red: {\nHosts: ]\n");
  EXPECT_THAT(RefusalOf(file), StartsWith(file + ":3: not valid YAML: "));
  WriteFileAtomically(file, "Hosts:\n  - User0\n");
  EXPECT_EQ(RefusalOf(file), file + ":2: Hosts: expected keys with values");
  WriteFileAtomically(file, "Agents: {}\n");
  EXPECT_EQ(RefusalOf(file), file + ":1: Hosts is missing");
  EXPECT_THAT(RefusalOf("no/such/file.yaml"),
              StartsWith("env.cage2.scenario: there is no file no/such/file.yaml"));
}

TEST(Scenario, ItsTextIsAllThatIsNeededOfAFile) {
  const std::string text = SelfContained("configs/scenarios/file_server.yaml");
  EXPECT_THAT(text, AllOf(HasSubstr("Images:"), HasSubstr("file_server:"), HasSubstr("haraka")));
  EXPECT_EQ(SelfContained(text), text);
  const Network& network = NetworkOf(text);
  EXPECT_EQ(network.hosts, 16);
  EXPECT_EQ(network.names[4], "Enterprise3");
  EXPECT_EQ(network.facts[4].weight_tenths, 100);
  EXPECT_EQ(PortsText(network.facts[4].ports, network), "22.443.8443");
  EXPECT_EQ(network.no_bline, "");
  EXPECT_EQ(SelfContained(kShippedScenario), kShippedScenario);
}

}  // namespace
}  // namespace dray::cage2
