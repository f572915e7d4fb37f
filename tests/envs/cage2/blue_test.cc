#include "src/envs/cage2/blue.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "src/base/error.h"
#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

void Play(Stage& stage, BlueKind kind, Host host) {
  PlayBlue({.kind = kind, .host = host}, stage.NewTurn());
}

TEST(BlueActions, AreTheOriginals145) {
  EXPECT_EQ(ActionName(0), "Sleep");
  EXPECT_EQ(ActionName(1), "Monitor");
  EXPECT_EQ(ActionName(2), "Analyse Defender");
  EXPECT_EQ(ActionName(27), "Remove User4");
  EXPECT_EQ(ActionName(54), "DecoyHarakaSMPT Defender");
  EXPECT_EQ(ActionName(116), "DecoyTomcat User2");
  EXPECT_EQ(ActionName(134), "Restore Enterprise1");
  EXPECT_EQ(ActionName(144), "Restore User4");
}

TEST(BlueActions, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int id = 0; id < kBlueActions; ++id) names.insert(ActionName(id));
  EXPECT_EQ(names.size(), kBlueActions);
}

TEST(Decoys, FitOnlyWhereTheTableSays) {
  const std::map<BlueKind, std::set<int>> table = {
      {BlueKind::kDecoyApache, {0, 1, 4, 5, 6, 7, 8, 9, 10}},
      {BlueKind::kDecoyFemitter, {2, 3, 10}},
      {BlueKind::kDecoyHaraka, {0, 1, 4, 5, 6, 7}},
      {BlueKind::kDecoySmss, {8, 9}},
      {BlueKind::kDecoySshd, {10, 11}},
      {BlueKind::kDecoySvchost, {8, 9}},
      {BlueKind::kDecoyTomcat, {0, 1, 4, 5, 6, 7, 8, 9, 10}},
      {BlueKind::kDecoyVsftpd, {0, 1, 4, 5, 6, 7, 11, 12}}};
  for (const auto& [kind, hosts] : table) {
    for (int host = 0; host < kHosts; ++host) {
      Stage stage;
      Play(stage, kind, static_cast<Host>(host));
      const bool placed = stage.record.effect == BlueEffect::kDecoyPlaced;
      EXPECT_EQ(placed, hosts.contains(host)) << ActionName(ActionId(kind, host));
      EXPECT_EQ(stage.state.decoys[host], placed);
      EXPECT_EQ(stage.turn.decoy_placed, placed ? host : kNoHost);
    }
  }
}

TEST(Decoys, AreNotPlacedTwice) {
  Stage stage;
  Play(stage, BlueKind::kDecoyTomcat, kUser1);
  Play(stage, BlueKind::kDecoyTomcat, kUser1);
  EXPECT_EQ(stage.record.effect, BlueEffect::kNone);
  EXPECT_EQ(stage.state.decoys[kUser1], 1);
}

TEST(Decoys, VsftpdOpensTheWebPortAndCanBeRepeated) {
  Stage stage;
  Play(stage, BlueKind::kDecoyVsftpd, kEnterprise0);
  Play(stage, BlueKind::kDecoyVsftpd, kEnterprise0);
  EXPECT_EQ(stage.state.decoys[kEnterprise0], 2);
  EXPECT_EQ(stage.state.decoy_ports[kEnterprise0], PortBit(80));
}

TEST(Decoys, VsftpdKeepsApacheAwayButFitsBesideIt) {
  Stage first;
  Play(first, BlueKind::kDecoyVsftpd, kDefender);
  Play(first, BlueKind::kDecoyApache, kDefender);
  EXPECT_EQ(first.state.decoys[kDefender], 1);
  Stage second;
  Play(second, BlueKind::kDecoyApache, kDefender);
  Play(second, BlueKind::kDecoyVsftpd, kDefender);
  EXPECT_EQ(second.state.decoys[kDefender], 2);
}

TEST(Decoys, AreCountedOnlySoFar) {
  Stage stage;
  for (int i = 0; i < 1000; ++i) Play(stage, BlueKind::kDecoyVsftpd, kUser4);
  EXPECT_EQ(stage.state.decoys[kUser4], kMostDecoys);
  EXPECT_TRUE(Plausible(stage.state));
}

TEST(Analyse, FindsMalwareAndNothingElse) {
  Stage stage;
  stage.state.privileged |= Bit(kEnterprise0);
  Play(stage, BlueKind::kAnalyse, kEnterprise0);
  EXPECT_EQ(stage.turn.malware_found, kNoHost);
  stage.state.malware = Bit(kEnterprise0);
  Play(stage, BlueKind::kAnalyse, kEnterprise0);
  EXPECT_EQ(stage.turn.malware_found, kEnterprise0);
  EXPECT_EQ(stage.record.effect, BlueEffect::kMalwareFound);
}

TEST(Remove, EndsOnlySessionsWhoseProcessIsKnown) {
  Stage stage;
  stage.state.sessions[kUser4] = 3;
  stage.state.known_processes[kUser4] = 0b101;
  stage.state.malware = Bit(kUser4);
  SetCompromised(stage.state, kUser4, Compromised::kUser);
  Play(stage, BlueKind::kRemove, kUser4);
  EXPECT_EQ(stage.state.sessions[kUser4], 1);
  EXPECT_EQ(stage.state.known_processes[kUser4], 0);
  EXPECT_EQ(stage.record.effect, BlueEffect::kSessionsRemoved);
  EXPECT_EQ(stage.state.malware, Bit(kUser4)) << "a removal leaves the file";
  EXPECT_EQ(CompromisedOf(stage.state, kUser4), Compromised::kUnknown);
}

TEST(Remove, LeavesPrivilegedSessions) {
  Stage stage;
  stage.state.privileged |= Bit(kUser1);
  SetCompromised(stage.state, kUser1, Compromised::kPrivileged);
  Play(stage, BlueKind::kRemove, kUser1);
  EXPECT_TRUE(HasSession(stage.state, kUser1));
  EXPECT_EQ(CompromisedOf(stage.state, kUser1), Compromised::kUnknown);
}

TEST(Remove, OfACleanHostChangesNothing) {
  Stage stage;
  Play(stage, BlueKind::kRemove, kUser1);
  EXPECT_EQ(CompromisedOf(stage.state, kUser1), Compromised::kNo);
  EXPECT_EQ(stage.record.effect, BlueEffect::kNone);
}

TEST(Restore, BringsBackTheImageButNotRedsIgnorance) {
  Stage stage;
  Play(stage, BlueKind::kDecoyTomcat, kEnterprise0);
  stage.state.sessions[kEnterprise0] = 2;
  stage.state.known_processes[kEnterprise0] = 0b10;
  stage.state.privileged |= Bit(kEnterprise0);
  stage.state.malware = Bit(kEnterprise0);
  stage.state.remembered_ports[kEnterprise0] = PortBit(443);
  SetCompromised(stage.state, kEnterprise0, Compromised::kPrivileged);
  Play(stage, BlueKind::kRestore, kEnterprise0);
  State clean = Start();
  clean.remembered_ports[kEnterprise0] = PortBit(443);
  EXPECT_EQ(std::memcmp(&stage.state, &clean, sizeof(State)), 0);
}

TEST(Restore, LeavesTheFootholdOnUser0) {
  Stage stage;
  stage.state.sessions[kUser0] = 1;
  Play(stage, BlueKind::kRestore, kUser0);
  EXPECT_EQ(stage.state.privileged, Bit(kUser0));
  EXPECT_EQ(stage.state.sessions[kUser0], 0);
}

TEST(Restore, OfOpServer0MakesItImmuneForGood) {
  Stage stage;
  stage.state.server_up = 0;
  Play(stage, BlueKind::kRestore, kOpServer0);
  EXPECT_EQ(stage.state.server_up, 1);
  EXPECT_EQ(stage.state.server_vulnerable, 0);
}

TEST(Restore, BreaksHarakaOnTheLeaderboardReleaseOnly) {
  for (const Release release : {Release::kHead, Release::kLeaderboard}) {
    Stage stage;
    stage.rules.release = release;
    for (int host = 0; host < kHosts; ++host)
      Play(stage, BlueKind::kRestore, static_cast<Host>(host));
    EXPECT_EQ(stage.state.haraka_broken,
              release == Release::kHead ? 0 : (Bit(kUser3) | Bit(kUser4)));
  }
}

TEST(SleepAndMonitor, DoNothing) {
  for (const int id : {kSleepAction, kMonitorAction}) {
    Stage stage;
    PlayBlue(BlueActionOf(id), stage.NewTurn());
    const State clean = Start();
    EXPECT_EQ(std::memcmp(&stage.state, &clean, sizeof(State)), 0);
  }
}

}  // namespace
}  // namespace dray::cage2
