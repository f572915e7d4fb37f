#include "src/envs/cage2/red_knowledge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "src/envs/cage2/red.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

// A red that notes what its moves taught it.
struct Red {
  bool Do(RedAction action, int target) {
    const RedMove move{action, target};
    const bool succeeded = PlayRed(move, stage.NewTurn());
    knows.OnMove(move, succeeded, stage.state, ShippedNetwork());
    return succeeded;
  }
  void BreakInto(Host host) {
    Do(RedAction::kDiscoverServices, host);
    ASSERT_TRUE(Do(RedAction::kExploit, host));
  }

  Stage stage;
  RedKnowledge knows = RedKnowledge::AtStart(ShippedNetwork());
};

constexpr int kUserNet = static_cast<int>(kUserSubnet);

TEST(RedKnowledge, BeginsWithItsFootholdAlone) {
  const RedKnowledge knows = RedKnowledge::AtStart(ShippedNetwork());
  EXPECT_EQ(knows.addresses, Bit(kUser0));
  EXPECT_EQ(knows.sessions, Bit(kUser0));
  EXPECT_EQ(knows.subnets, 1u << kUserNet);
  EXPECT_TRUE(knows.Plausible(ShippedNetwork()));
}

TEST(RedKnowledge, ASearchGivesAddressesAndAScanPorts) {
  Red red;
  red.Do(RedAction::kDiscoverSystems, kUserNet);
  EXPECT_EQ(red.knows.addresses, kUserHosts);
  EXPECT_EQ(red.knows.ports[kUser3], 0);
  red.Do(RedAction::kDiscoverServices, kUser3);
  EXPECT_EQ(red.knows.ports[kUser3], FactsOf(kUser3).ports);
  EXPECT_EQ(red.knows.last_saw_ports, 1);
}

TEST(RedKnowledge, ASearchOrScanWithoutARouteTeachesNothing) {
  Red red;
  EXPECT_FALSE(red.Do(RedAction::kDiscoverSystems, static_cast<int>(kOperationalSubnet)));
  EXPECT_EQ(red.knows.addresses, Bit(kUser0));
  EXPECT_TRUE(red.Do(RedAction::kDiscoverServices, kOpServer0));
  EXPECT_EQ(red.knows.ports[kOpServer0], 0);
  EXPECT_EQ(red.knows.last_saw_ports, 0);
}

TEST(RedKnowledge, AnEscalationGivesTheSubnetAndWhomTheHostLeadsTo) {
  Red red;
  red.BreakInto(kUser1);
  EXPECT_FALSE(red.knows.Knows(red.knows.escalated, kUser1))
      << "it is not told which user account it gained";
  red.Do(RedAction::kEscalate, kUser1);
  EXPECT_TRUE(red.knows.Knows(red.knows.escalated, kUser1));
  EXPECT_TRUE(red.knows.Knows(red.knows.addresses, kEnterprise1));
  red.BreakInto(kEnterprise1);
  red.Do(RedAction::kEscalate, kEnterprise1);
  EXPECT_NE(red.knows.subnets & 1u << static_cast<int>(kEnterpriseSubnet), 0u);
}

TEST(RedKnowledge, ALostSessionIsBelievedInUntilAMoveFails) {
  Red red;
  red.BreakInto(kUser1);
  red.Do(RedAction::kEscalate, kUser1);
  red.stage.state.privileged = Bit(kUser0);  // blue restored it
  red.stage.state.sessions = {};
  EXPECT_TRUE(red.knows.Knows(red.knows.sessions, kUser1));
  EXPECT_FALSE(red.Do(RedAction::kEscalate, kUser1));
  EXPECT_FALSE(red.knows.Knows(red.knows.sessions, kUser1));
  EXPECT_FALSE(red.knows.Knows(red.knows.escalated, kUser1));
  EXPECT_TRUE(red.knows.Knows(red.knows.sessions, kUser0));
}

TEST(RedKnowledge, FailuresAreCountedUntilASuccess) {
  Red red;
  red.Do(RedAction::kDiscoverServices, kDefender);
  for (int i = 1; i <= 6; ++i) {
    red.Do(RedAction::kExploit, kDefender);
    EXPECT_EQ(red.knows.failures[kDefender], std::min(i, RedKnowledge::kManyFailures));
  }
  EXPECT_EQ(red.knows.since_success[kDefender], 6);
}

// Everything in the state that no answer to red contains may change without its noticing.
TEST(RedKnowledge, HiddenTruthChangesNothing) {
  Red red;
  red.BreakInto(kUser4);
  for (const RedMove move :
       {RedMove{RedAction::kDiscoverServices, kUser4}, RedMove{RedAction::kExploit, kUser4},
        RedMove{RedAction::kEscalate, kUser4}, RedMove{}}) {
    RedKnowledge here = red.knows, there = red.knows;
    State hidden = red.stage.state;
    hidden.decoys.fill(3);
    hidden.malware = kAllHosts;
    hidden.compromised = ~uint64_t{0};
    hidden.privileged = kAllHosts;
    hidden.sessions.fill(2);
    hidden.server_up = 0;
    hidden.server_vulnerable = 0;
    hidden.server_found = 1;
    here.OnMove(move, true, red.stage.state, ShippedNetwork());
    there.OnMove(move, true, hidden, ShippedNetwork());
    EXPECT_EQ(std::memcmp(&here, &there, sizeof here), 0);
  }
}

}  // namespace
}  // namespace dray::cage2
