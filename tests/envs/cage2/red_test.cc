#include "src/envs/cage2/red.h"

#include <gtest/gtest.h>

#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

bool Play(Stage& stage, RedAction action, Host host) {
  return PlayRed({.action = action, .target = host}, stage.NewTurn());
}

bool Scan(Stage& stage, Host host) { return Play(stage, RedAction::kDiscoverServices, host); }

bool Attack(Stage& stage, Host host, Exploit exploit) {
  stage.chance.exploit = exploit;
  return Play(stage, RedAction::kExploit, host);
}

void PlaceDecoy(Stage& stage, Host host, int port) {
  stage.state.decoy_ports[host] |= PortBit(port);
  ++stage.state.decoys[host];
}

bool FindsSystems(const State& state, Subnet subnet) {
  Stage stage;
  stage.state = state;
  return PlayRed({.action = RedAction::kDiscoverSystems, .target = static_cast<int>(subnet)},
                 stage.NewTurn());
}

TEST(Routing, OperationalIsReachedThroughAnySessionOnEnterprise0To2) {
  for (int host = 0; host < kHosts; ++host) {
    const bool opens = host >= kEnterprise0 && host <= kEnterprise2;
    State user;
    user.sessions[host] = 1;
    EXPECT_EQ(FindsSystems(user, kOperationalSubnet), opens) << host;
    State privileged;
    privileged.privileged |= Bit(host);
    EXPECT_EQ(FindsSystems(privileged, kOperationalSubnet), opens) << host;
  }
}

TEST(Routing, UserAndEnterpriseAreAlwaysOpen) {
  EXPECT_TRUE(FindsSystems({}, kUserSubnet));
  EXPECT_TRUE(FindsSystems({}, kEnterpriseSubnet));
}

TEST(Scan, RemembersRealPortsAndDecoys) {
  Stage stage;
  PlaceDecoy(stage, kUser1, 443);
  EXPECT_TRUE(Scan(stage, kUser1));
  EXPECT_EQ(PortsText(stage.state.remembered_ports[kUser1]), "21.22.443");
  EXPECT_EQ(stage.turn.red.count, 3);
  EXPECT_EQ(stage.state.scan_saw_ports, 1);
}

TEST(Scan, SucceedsWithoutARouteButTeachesNothing) {
  Stage stage;
  stage.state.scan_saw_ports = 1;
  EXPECT_TRUE(Scan(stage, kOpServer0));
  EXPECT_EQ(stage.state.remembered_ports[kOpServer0], 0);
  EXPECT_EQ(stage.state.scan_saw_ports, 0);
  EXPECT_EQ(stage.turn.red.host, kNoHost);
}

TEST(Scan, ForgetsPortsAtHeadAndKeepsThemOnTheLeaderboard) {
  for (const Release release : {Release::kHead, Release::kLeaderboard}) {
    Stage stage;
    stage.rules.release = release;
    stage.state.remembered_ports[kEnterprise0] = PortBit(25);
    Scan(stage, kEnterprise0);
    EXPECT_EQ(PortsText(stage.state.remembered_ports[kEnterprise0]),
              release == Release::kHead ? "22" : "22.25");
  }
}

TEST(Exploit, FailsOnAHostThatWasNeverScanned) {
  Stage stage;
  EXPECT_FALSE(Attack(stage, kUser1, Exploit::kNone));
  EXPECT_EQ(stage.record.exploit, Exploit::kNone);
  EXPECT_EQ(stage.turn.red.host, kNoHost);
}

TEST(Exploit, OptionsComeFromMemoryNotFromTheHost) {
  Stage stage;
  Scan(stage, kUser1);
  PlaceDecoy(stage, kUser1, 443);
  Attack(stage, kUser1, Exploit::kHttpsRfi);
  EXPECT_EQ(stage.record.exploit, Exploit::kFtpDirectoryTraversal);
  EXPECT_EQ(stage.chance.offered, 0b10000001);
}

TEST(Exploit, OfAServiceThatIsGoneIsSilent) {
  Stage stage;
  stage.state.remembered_ports[kEnterprise0] = PortBit(25);
  EXPECT_FALSE(Attack(stage, kEnterprise0, Exploit::kHarakaRce));
  EXPECT_EQ(stage.record.exploit, Exploit::kHarakaRce);
  EXPECT_EQ(stage.turn.red.host, kNoHost);
  EXPECT_EQ(stage.record.detected, -1);
}

TEST(Exploit, NeedsARouteButIsChosenBefore) {
  Stage stage;
  stage.state.remembered_ports[kOpServer0] = PortBit(22);
  EXPECT_FALSE(Attack(stage, kOpServer0, Exploit::kSshBruteForce));
  EXPECT_EQ(stage.record.exploit, Exploit::kSshBruteForce);
  EXPECT_EQ(stage.turn.red.host, kNoHost);
}

TEST(Exploit, OpensAShellAtTheServicesLevel) {
  Stage ftp;
  Scan(ftp, kUser1);
  EXPECT_TRUE(Attack(ftp, kUser1, Exploit::kFtpDirectoryTraversal));
  EXPECT_NE(ftp.state.privileged & Bit(kUser1), 0);
  EXPECT_EQ(ftp.state.malware, Bit(kUser1));
  EXPECT_EQ(ftp.record.detected, 1);
  EXPECT_TRUE(ftp.turn.red.reverse_shell);
  Stage web;
  Scan(web, kEnterprise1);
  EXPECT_TRUE(Attack(web, kEnterprise1, Exploit::kHttpsRfi));
  EXPECT_EQ(web.state.privileged, Bit(kUser0));
  EXPECT_EQ(web.state.sessions[kEnterprise1], 1);
  EXPECT_EQ(web.state.known_processes[kEnterprise1], 1);
}

TEST(Exploit, UndetectedLeavesNoProcessToRemoveButAFile) {
  Stage stage;
  stage.chance.detects = false;
  Scan(stage, kEnterprise1);
  EXPECT_TRUE(Attack(stage, kEnterprise1, Exploit::kHttpRfi));
  EXPECT_EQ(stage.record.detected, 0);
  EXPECT_EQ(stage.state.known_processes[kEnterprise1], 0);
  EXPECT_EQ(stage.state.malware, Bit(kEnterprise1));
  EXPECT_EQ(stage.turn.red.count, 1);
  EXPECT_FALSE(stage.turn.red.reverse_shell);
}

TEST(Exploit, OfADecoyFailsWithTwoConnections) {
  Stage stage;
  PlaceDecoy(stage, kEnterprise0, 443);
  Scan(stage, kEnterprise0);
  EXPECT_FALSE(Attack(stage, kEnterprise0, Exploit::kHttpsRfi));
  EXPECT_EQ(stage.turn.red.count, 2);
  EXPECT_EQ(stage.turn.red.local_ports, PortBit(443));
  EXPECT_EQ(stage.state.malware, 0);
}

TEST(Exploit, FindsTheRealWebServerBeforeVsftpd) {
  Stage stage;
  PlaceDecoy(stage, kUser3, 80);
  Scan(stage, kUser3);
  EXPECT_TRUE(Attack(stage, kUser3, Exploit::kHttpRfi));
}

TEST(Exploit, EternalBlueAndBlueKeepFailSilentlyWhereTheKindIsWrong) {
  Stage stage;
  Scan(stage, kEnterprise2);
  EXPECT_FALSE(Attack(stage, kEnterprise2, Exploit::kEternalBlue));
  EXPECT_EQ(stage.turn.red.host, kNoHost);
  Scan(stage, kUser3);
  EXPECT_FALSE(Attack(stage, kUser3, Exploit::kBlueKeep));
  EXPECT_EQ(stage.turn.red.host, kNoHost);
}

TEST(Exploit, OfARestoredHarakaFailsVisiblyOnTheLeaderboard) {
  Stage stage;
  stage.rules.release = Release::kLeaderboard;
  stage.state.haraka_broken = Bit(kUser3);
  Scan(stage, kUser3);
  EXPECT_FALSE(Attack(stage, kUser3, Exploit::kHarakaRce));
  EXPECT_EQ(stage.turn.red.count, 1);
  EXPECT_EQ(stage.record.detected, -1);
  EXPECT_TRUE(Attack(stage, kUser3, Exploit::kHttpsRfi)) << "only Haraka is broken";
}

TEST(BruteForce, GivesAnUnprivilegedSessionThatNobodyCanRemove) {
  Stage stage;
  Scan(stage, kEnterprise0);
  EXPECT_TRUE(Attack(stage, kEnterprise0, Exploit::kSshBruteForce));
  EXPECT_EQ(stage.turn.red.count, 11);
  EXPECT_EQ(stage.state.sessions[kEnterprise0], 1);
  EXPECT_EQ(stage.state.known_processes[kEnterprise0], 0);
  EXPECT_EQ(stage.state.malware, 0);
  EXPECT_EQ(stage.record.detected, -1);
}

TEST(BruteForce, FailsLoudlyOnDefenderAndOnADecoy) {
  Stage stage;
  Scan(stage, kDefender);
  EXPECT_FALSE(Attack(stage, kDefender, Exploit::kSshBruteForce));
  EXPECT_EQ(stage.turn.red.count, 10);
  PlaceDecoy(stage, kUser2, 22);
  Scan(stage, kUser2);
  EXPECT_FALSE(Attack(stage, kUser2, Exploit::kSshBruteForce));
  EXPECT_EQ(stage.turn.red.count, 10);
}

TEST(Escalation, FailsWithoutASession) {
  Stage stage;
  EXPECT_FALSE(Play(stage, RedAction::kEscalate, kUser1));
}

TEST(Escalation, MakesTheChosenSessionPrivilegedAndLeavesAFile) {
  Stage stage;
  stage.state.sessions[kUser4] = 3;
  stage.state.known_processes[kUser4] = 0b101;
  stage.chance.session = 0;
  EXPECT_TRUE(Play(stage, RedAction::kEscalate, kUser4));
  EXPECT_EQ(stage.chance.sessions_offered, 3);
  EXPECT_EQ(stage.record.escalated_session, 0);
  EXPECT_EQ(stage.state.sessions[kUser4], 2);
  EXPECT_EQ(stage.state.known_processes[kUser4], 0b10) << "the others keep their order";
  EXPECT_NE(stage.state.privileged & Bit(kUser4), 0);
  EXPECT_EQ(stage.state.malware, Bit(kUser4));
}

TEST(Escalation, OfAHostThatIsPrivilegedAlreadyDrawsNothing) {
  Stage stage;
  EXPECT_TRUE(Play(stage, RedAction::kEscalate, kUser0));
  EXPECT_EQ(stage.record.escalated_session, -1);
  EXPECT_EQ(stage.state.malware, 0);
}

TEST(Impact, NeedsASessionAndTheEscalationThatFoundTheService) {
  Stage stage;
  EXPECT_FALSE(Play(stage, RedAction::kImpact, kOpServer0));
  stage.state.sessions[kOpServer0] = 1;
  EXPECT_FALSE(Play(stage, RedAction::kImpact, kOpServer0));
  Play(stage, RedAction::kEscalate, kOpServer0);
  EXPECT_EQ(stage.state.server_found, 1);
  EXPECT_TRUE(Play(stage, RedAction::kImpact, kOpServer0));
  EXPECT_EQ(stage.state.server_up, 0);
}

TEST(Impact, GoesOnSucceedingWithoutEffectAfterARestore) {
  Stage stage;
  stage.state.sessions[kOpServer0] = 1;
  stage.state.server_found = 1;
  stage.state.server_vulnerable = 0;
  EXPECT_TRUE(Play(stage, RedAction::kImpact, kOpServer0));
  EXPECT_EQ(stage.state.server_up, 1);
}

TEST(Sessions, AreCountedOnlySoFar) {
  Stage stage;
  Scan(stage, kEnterprise1);
  for (int i = 0; i < 50; ++i) Attack(stage, kEnterprise1, Exploit::kHttpsRfi);
  EXPECT_EQ(stage.state.sessions[kEnterprise1], kMostSessions);
  EXPECT_TRUE(Plausible(stage.state));
}

}  // namespace
}  // namespace dray::cage2
