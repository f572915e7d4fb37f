#include "src/envs/cage2/network.h"

#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

PortMask OtherPort(int port) { return PortBitIn(ShippedNetwork(), port); }

TEST(Network, EternalBlueFindsNoSmbOnEnterprise1And2) {
  for (const Host host : {kEnterprise1, kEnterprise2}) {
    EXPECT_NE(FactsOf(host).ports & PortBit(139), 0);
    EXPECT_EQ(FactsOf(host).exploitable & PortBit(139), 0);
  }
  EXPECT_NE(FactsOf(kUser2).exploitable & PortBit(139), 0);
}

TEST(Network, MysqlOfUser3ListensWhereBlueKeepAttacks) {
  EXPECT_EQ(FactsOf(kUser3).ports & PortBit(3390), 0);
  EXPECT_NE(FactsOf(kUser3).ports & PortBit(3389), 0);
  EXPECT_EQ(FactsOf(kUser3).exploitable & PortBit(3389), 0);
}

TEST(Network, ListsTheServicesOfEveryImage) {
  EXPECT_EQ(PortsText(FactsOf(kDefender).ports), "22.53.68");
  EXPECT_EQ(FactsOf(kDefender).services, 4);
  EXPECT_EQ(PortsText(FactsOf(kEnterprise0).ports), "22");
  EXPECT_EQ(PortsText(FactsOf(kEnterprise1).ports), "22.80.135.139.443.445.3389");
  EXPECT_EQ(PortsText(FactsOf(kOpServer0).ports), "22");
  EXPECT_EQ(PortsText(FactsOf(kUser0).ports), "21.22");
  EXPECT_EQ(PortsText(FactsOf(kUser2).ports), "135.139.445.3389");
  EXPECT_EQ(PortsText(FactsOf(kUser3).ports), "25.80.443.3389");
  EXPECT_EQ(PortsText(FactsOf(kUser4).ports), "22.25.80.443.3390");
}

TEST(Network, KnowsWhichServicesRunAsRoot) {
  EXPECT_EQ(PortsText(FactsOf(kEnterprise1).privileged), "3389");
  EXPECT_EQ(PortsText(FactsOf(kUser1).privileged), "21");
  EXPECT_EQ(PortsText(FactsOf(kUser2).privileged), "139");
  EXPECT_EQ(PortsText(FactsOf(kUser3).privileged), "25");
  EXPECT_EQ(PortsText(FactsOf(kUser4).privileged), "25.3390");
}

TEST(Network, OnlyDefenderHasNobodyWhosePasswordCanBeGuessed) {
  for (int host = 0; host < kHosts; ++host) EXPECT_EQ(FactsOf(host).ssh_user, host != kDefender);
}

TEST(Network, WeightsAddUp) {
  for (int mask = 0; mask <= kAllHosts; ++mask) {
    int sum = 0;
    for (int host = 0; host < kHosts; ++host)
      sum += (mask >> host & 1) * FactsOf(host).weight_tenths;
    ASSERT_EQ(ShippedNetwork().WeightTenths(static_cast<HostMask>(mask)), sum) << mask;
  }
  EXPECT_EQ(ShippedNetwork().WeightTenths(kAllHosts), 48);
  EXPECT_EQ(ShippedNetwork().WeightTenths(Bit(kUser0)), 0);
}

TEST(Network, CountsTheHostsOfAMask) {
  for (int mask = 0; mask <= 0xffff; ++mask)
    ASSERT_EQ(Count(static_cast<HostMask>(mask)), __builtin_popcount(static_cast<unsigned>(mask)));
}

TEST(Network, SqlInjectionIsOfferedOnlyBesideAWebServer) {
  const ExploitMask sql = 1u << static_cast<int>(Exploit::kSqlInjection);
  EXPECT_EQ(ExploitsOffered(PortBit(3390)), 0);
  EXPECT_NE(ExploitsOffered(PortBit(3390) | PortBit(80)) & sql, 0);
  EXPECT_NE(ExploitsOffered(PortBit(3390) | PortBit(443)) & sql, 0);
}

TEST(Network, PortsThatNothingAttacksOfferNothing) {
  EXPECT_EQ(ExploitsOffered(OtherPort(53) | OtherPort(68) | OtherPort(135) | OtherPort(445)), 0);
}

TEST(Network, EveryExploitIsOfferedByItsPort) {
  const int ports[] = {21, 25, 3390, 443, 80, 139, 3389, 22};
  for (int i = 0; i < kExploits; ++i) EXPECT_EQ(kAttackedPorts[i], ports[i]);
  EXPECT_EQ(NameOf(Exploit::kHttpsRfi), "HTTPSRFI");
  EXPECT_EQ(NameOf(Exploit::kSshBruteForce), "SSHBruteForce");
}

TEST(Network, NamesLeadBackToWhatTheyName) {
  for (int host = 0; host < kHosts; ++host)
    EXPECT_EQ(HostNamed(ShippedNetwork().names[static_cast<size_t>(host)], ShippedNetwork()), host);
  EXPECT_EQ(SubnetNamed("Operational", ShippedNetwork()), kOperationalSubnet);
  EXPECT_EQ(ExploitNamed("BlueKeep"), Exploit::kBlueKeep);
  EXPECT_THROW(HostNamed("User5", ShippedNetwork()), Error);
}

}  // namespace
}  // namespace dray::cage2
