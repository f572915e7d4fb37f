#include "src/envs/cage2/network.h"

#include <gtest/gtest.h>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

TEST(Network, EternalBlueFindsNoSmbOnEnterprise1And2) {
  for (const Host host : {kEnterprise1, kEnterprise2}) {
    EXPECT_NE(kNetwork[host].ports & PortBit(139), 0);
    EXPECT_EQ(kNetwork[host].exploitable & PortBit(139), 0);
  }
  EXPECT_NE(kNetwork[kUser2].exploitable & PortBit(139), 0);
}

TEST(Network, MysqlOfUser3ListensWhereBlueKeepAttacks) {
  EXPECT_EQ(kNetwork[kUser3].ports & PortBit(3390), 0);
  EXPECT_NE(kNetwork[kUser3].ports & PortBit(3389), 0);
  EXPECT_EQ(kNetwork[kUser3].exploitable & PortBit(3389), 0);
}

TEST(Network, ListsTheServicesOfEveryImage) {
  EXPECT_EQ(PortsText(kNetwork[kDefender].ports), "22.53.68");
  EXPECT_EQ(kNetwork[kDefender].services, 4);
  EXPECT_EQ(PortsText(kNetwork[kEnterprise0].ports), "22");
  EXPECT_EQ(PortsText(kNetwork[kEnterprise1].ports), "22.80.135.139.443.445.3389");
  EXPECT_EQ(PortsText(kNetwork[kOpServer0].ports), "22");
  EXPECT_EQ(PortsText(kNetwork[kUser0].ports), "21.22");
  EXPECT_EQ(PortsText(kNetwork[kUser2].ports), "135.139.445.3389");
  EXPECT_EQ(PortsText(kNetwork[kUser3].ports), "25.80.443.3389");
  EXPECT_EQ(PortsText(kNetwork[kUser4].ports), "22.25.80.443.3390");
}

TEST(Network, KnowsWhichServicesRunAsRoot) {
  EXPECT_EQ(PortsText(kNetwork[kEnterprise1].privileged), "3389");
  EXPECT_EQ(PortsText(kNetwork[kUser1].privileged), "21");
  EXPECT_EQ(PortsText(kNetwork[kUser2].privileged), "139");
  EXPECT_EQ(PortsText(kNetwork[kUser3].privileged), "25");
  EXPECT_EQ(PortsText(kNetwork[kUser4].privileged), "25.3390");
}

TEST(Network, OnlyDefenderHasNobodyWhosePasswordCanBeGuessed) {
  for (int host = 0; host < kHosts; ++host) EXPECT_EQ(kNetwork[host].ssh_user, host != kDefender);
}

TEST(Network, WeightsAddUp) {
  for (int mask = 0; mask <= kAllHosts; ++mask) {
    int sum = 0;
    for (int host = 0; host < kHosts; ++host)
      sum += (mask >> host & 1) * kNetwork[host].weight_tenths;
    ASSERT_EQ(WeightTenths(static_cast<HostMask>(mask)), sum) << mask;
  }
  EXPECT_EQ(WeightTenths(kAllHosts), 48);
  EXPECT_EQ(WeightTenths(Bit(kUser0)), 0);
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
  EXPECT_EQ(ExploitsOffered(PortBit(53) | PortBit(68) | PortBit(135) | PortBit(445)), 0);
}

TEST(Network, EveryExploitIsOfferedByItsPort) {
  const int ports[] = {21, 25, 3390, 443, 80, 139, 3389, 22};
  for (int i = 0; i < kExploits; ++i) EXPECT_EQ(kPorts[i], ports[i]);
  EXPECT_EQ(NameOf(Exploit::kHttpsRfi), "HTTPSRFI");
  EXPECT_EQ(NameOf(Exploit::kSshBruteForce), "SSHBruteForce");
}

TEST(Network, NamesLeadBackToWhatTheyName) {
  for (int host = 0; host < kHosts; ++host) EXPECT_EQ(HostNamed(kNetwork[host].name), host);
  EXPECT_EQ(SubnetNamed("Operational"), Subnet::kOperational);
  EXPECT_EQ(ExploitNamed("BlueKeep"), Exploit::kBlueKeep);
  EXPECT_THROW(HostNamed("User5"), Error);
}

}  // namespace
}  // namespace dray::cage2
