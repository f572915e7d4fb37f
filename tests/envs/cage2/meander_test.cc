#include "src/envs/cage2/meander.h"

#include <gtest/gtest.h>

#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

constexpr uint8_t kAllSubnets = 0b111;

// Everything known and scanned, all hosts held except Defender.
MeanderState Settled() {
  MeanderState m = Start().meander;
  m.known_addresses = m.scanned = kAllHosts;
  m.known_names = m.mapped = m.exploited = kAllHosts & ~Bit(kDefender);
  m.escalated = kAllHosts & ~Bit(kDefender) & ~kOperationalHosts;
  m.known_names &= ~kOperationalHosts;
  m.known_subnets = m.scanned_subnets = kAllSubnets;
  return m;
}

struct Turned {
  RedMove move;
  MeanderState after;
  HostMask candidates;
};

Turned Next(const MeanderState& before, bool succeeded = true, Host host = kNoHost) {
  Stage stage;
  stage.state.meander = before;
  stage.state.red_succeeded = succeeded;
  stage.chance.host = host;
  const RedMove move = ChooseMeander(ShippedNetwork(), stage.state, stage.chance, stage.record);
  return {move, stage.state.meander, stage.record.candidates};
}

TEST(Meander, BeginsWithTheUserSubnetThenScansAndEscalates) {
  Game game;
  game.Reset(RedAgent::kMeander);
  StagedChance chance;
  EXPECT_EQ(game.Step(0, chance).target_subnet(), kUserSubnet);
  for (int i = 0; i < 5; ++i) {
    const StepRecord record = game.Step(0, chance);
    EXPECT_EQ(record.red_action, RedAction::kDiscoverServices);
    EXPECT_EQ(record.candidates, kUserHosts & ~(Bit(kUser0 + i) - Bit(kUser0)));
  }
  const StepRecord escalation = game.Step(0, chance);
  EXPECT_EQ(escalation.red_action, RedAction::kEscalate);
  EXPECT_EQ(escalation.candidates, Bit(kUser0));
  const StepRecord exploit = game.Step(0, chance);
  EXPECT_EQ(exploit.red_action, RedAction::kExploit);
  EXPECT_EQ(exploit.candidates, kUserHosts);
}

TEST(Meander, ImpactsAsSoonAsTheServerIsEscalated) {
  MeanderState m = Start().meander;
  m.escalated = Bit(kOpServer0);
  const Turned turned = Next(m);
  EXPECT_EQ(turned.move.action, RedAction::kImpact);
  EXPECT_EQ(turned.after.last_escalated, kOpServer0);
}

TEST(Meander, ScansSubnetsInItsOwnOrderAndOnce) {
  MeanderState m = Start().meander;
  m.known_subnets = kAllSubnets;
  for (const Subnet subnet : {kEnterpriseSubnet, kOperationalSubnet, kUserSubnet}) {
    const Turned turned = Next(m, /*succeeded=*/false);
    EXPECT_EQ(turned.move.action, RedAction::kDiscoverSystems);
    EXPECT_EQ(turned.move.target, static_cast<int>(subnet));
    m = turned.after;
  }
  EXPECT_EQ(Next(m).move.action, RedAction::kDiscoverServices);
}

TEST(Meander, AFailedExploitPurgesEnterpriseWhenNoOpHostIsHeld) {
  MeanderState m = Settled();
  m.last_exploited = kDefender;
  m.exploited |= Bit(kDefender);
  const Turned turned = Next(m, /*succeeded=*/false);
  EXPECT_EQ(turned.after.escalated & kEnterpriseHosts, 0);
  EXPECT_EQ(turned.candidates, kEnterpriseHosts | Bit(kDefender));
  EXPECT_EQ(turned.move.action, RedAction::kExploit);
  EXPECT_NE(turned.after.escalated & kUserHosts, 0) << "users are never doubted";
}

TEST(Meander, AFailedExploitPurgesOperationalOnceAnOpHostIsHeld) {
  MeanderState m = Settled();
  m.escalated |= Bit(kOpHost1);
  m.known_names |= Bit(kOpHost1);
  m.last_exploited = kUser3;
  const Turned turned = Next(m, /*succeeded=*/false);
  EXPECT_EQ(turned.after.escalated & kOperationalHosts, 0);
  EXPECT_EQ(turned.after.escalated & kEnterpriseHosts, kEnterpriseHosts);
  EXPECT_EQ(turned.candidates, kOperationalHosts | Bit(kUser3) | Bit(kDefender));
}

TEST(Meander, ASuccessfulExploitIsMapped) {
  MeanderState m = Settled();
  m.mapped = 0;
  m.last_exploited = kUser1;
  const Turned turned = Next(m);
  EXPECT_EQ(turned.after.mapped, Bit(kUser1));
  EXPECT_NE(turned.after.last_exploited, kUser1);
}

TEST(Meander, AFailedEscalationMeansThatTheHostIsLost) {
  MeanderState m = Settled();
  m.last_escalated = kUser2;
  const Turned turned = Next(m, /*succeeded=*/false, kUser2);
  EXPECT_EQ(turned.move.action, RedAction::kExploit);
  EXPECT_EQ(turned.move.target, kUser2);
  EXPECT_EQ(turned.candidates, Bit(kUser2) | Bit(kDefender));
  EXPECT_EQ(turned.after.escalated & Bit(kUser2), 0);
}

TEST(Meander, AFailedImpactIsDigestedLikeAnEscalation) {
  MeanderState m = Settled();
  m.escalated |= Bit(kOpServer0);
  m.known_names |= Bit(kOpServer0);
  m.last_escalated = kOpServer0;
  const Turned turned = Next(m, /*succeeded=*/false, kOpServer0);
  EXPECT_EQ(turned.move.action, RedAction::kExploit);
  EXPECT_EQ(turned.move.target, kOpServer0);
}

TEST(Meander, LearnsFromSuccess) {
  State state = Start();
  LearnMeander({RedAction::kDiscoverSystems, static_cast<int>(kEnterpriseSubnet)}, ShippedNetwork(),
               state);
  EXPECT_EQ(state.meander.known_addresses, Bit(kUser0) | kEnterpriseHosts | Bit(kDefender));
  LearnMeander({RedAction::kExploit, kUser3}, ShippedNetwork(), state);
  EXPECT_EQ(state.meander.known_names, Bit(kUser0) | Bit(kUser3));
  LearnMeander({RedAction::kEscalate, kEnterprise2}, ShippedNetwork(), state);
  EXPECT_NE(state.meander.known_addresses & Bit(kOpServer0), 0);
  EXPECT_NE(state.meander.known_subnets & 1, 0);
}

}  // namespace
}  // namespace dray::cage2
