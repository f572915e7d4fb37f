#include "src/envs/cage2/monitor.h"

#include <gtest/gtest.h>

#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

constexpr uint32_t kOnePort = 0b1, kTwoPorts = 0b11, kThreePorts = 0b111;

Activity Seen(int count, uint32_t ports, bool shell = false, bool decoy = false,
              Wrapper wrapper = Wrapper::kStock) {
  return ActivityOf({.host = kUser1, .count = count, .local_ports = ports, .reverse_shell = shell},
                    decoy, wrapper);
}

TEST(Activity, NoConnectionIsNone) { EXPECT_EQ(Seen(0, 0), Activity::kNone); }

TEST(Activity, AFewConnectionsAreAScan) {
  EXPECT_EQ(Seen(1, kOnePort), Activity::kScan);
  EXPECT_EQ(Seen(2, kOnePort), Activity::kScan) << "an exploit that a decoy absorbed";
  EXPECT_EQ(Seen(5, kTwoPorts), Activity::kScan);
}

TEST(Activity, ManyPortsAreAScanEvenWithAReverseShell) {
  EXPECT_EQ(Seen(3, kThreePorts), Activity::kScan);
  EXPECT_EQ(Seen(4, kThreePorts, /*shell=*/true), Activity::kScan);
}

TEST(Activity, AReverseShellIsAnExploit) {
  EXPECT_EQ(Seen(2, kTwoPorts, /*shell=*/true), Activity::kExploit);
  EXPECT_EQ(Seen(2, kTwoPorts, /*shell=*/true, /*decoy=*/true), Activity::kExploit);
}

TEST(Activity, ManyConnectionsToOnePortAreAnExploit) {
  EXPECT_EQ(Seen(10, kOnePort), Activity::kExploit);
  EXPECT_EQ(Seen(2, kOnePort, false, /*decoy=*/true), Activity::kExploit);
}

TEST(Activity, ADecoyPlacedInThisStepHidesAScanFromTheStockWrapperOnly) {
  EXPECT_EQ(Seen(1, kOnePort, false, true, Wrapper::kStock), Activity::kNone);
  EXPECT_EQ(Seen(1, kOnePort, false, true, Wrapper::kCardiff), Activity::kScan);
  EXPECT_EQ(Seen(2, kTwoPorts, false, true, Wrapper::kStock), Activity::kNone);
  EXPECT_EQ(Seen(2, kTwoPorts, false, true, Wrapper::kCardiff), Activity::kScan);
}

TEST(Activity, ADecoyAloneIsNoneWithEitherWrapper) {
  EXPECT_EQ(Seen(0, 0, false, true, Wrapper::kStock), Activity::kNone);
  EXPECT_EQ(Seen(0, 0, false, true, Wrapper::kCardiff), Activity::kNone);
}

TEST(Observation, PutsTheFirstHostIntoTheHighestOfTheBits) {
  Stage stage;
  Turn& turn = stage.NewTurn();
  turn.red = PortScan(stage.state, kDefender, ShippedNetwork());
  EXPECT_EQ(Observe(turn), 0x8000000000000u);
  turn.red = PortScan(stage.state, kUser4, ShippedNetwork());
  EXPECT_EQ(Observe(turn), 0x8u);
}

TEST(Observation, AnExploitOverwritesWhatTheTableSaid) {
  for (const Compromised before :
       {Compromised::kNo, Compromised::kUnknown, Compromised::kUser, Compromised::kPrivileged}) {
    Stage stage;
    SetCompromised(stage.state, kUser1, before);
    Turn& turn = stage.NewTurn();
    turn.red = {.host = kUser1, .count = 10, .local_ports = PortBit(22)};
    const uint64_t seen = Observe(turn);
    EXPECT_EQ(ActivityIn(seen, kUser1), Activity::kExploit);
    EXPECT_EQ(CompromisedIn(seen, kUser1), Compromised::kUser);
  }
}

TEST(Observation, AFindingOverwritesTheExploitOfTheSameStep) {
  Stage stage;
  Turn& turn = stage.NewTurn();
  turn.red = {.host = kUser1, .count = 10, .local_ports = PortBit(22)};
  turn.malware_found = kUser1;
  const uint64_t seen = Observe(turn);
  EXPECT_EQ(ActivityIn(seen, kUser1), Activity::kExploit);
  EXPECT_EQ(CompromisedIn(seen, kUser1), Compromised::kPrivileged);
}

TEST(Observation, GreensScanTurnsAnExploitIntoAScan) {
  Stage stage;
  Turn& turn = stage.NewTurn();
  turn.green = PortScan(stage.state, kUser2, ShippedNetwork());
  turn.red = {.host = kUser2,
              .count = 2,
              .local_ports = PortBit(139) | kEphemeralPort,
              .reverse_shell = true};
  const uint64_t seen = Observe(turn);
  EXPECT_EQ(ActivityIn(seen, kUser2), Activity::kScan);
  EXPECT_EQ(CompromisedIn(seen, kUser2), Compromised::kNo);
}

TEST(Observation, ShowsGreenAndRedOnDifferentHosts) {
  Stage stage;
  Turn& turn = stage.NewTurn();
  turn.green = PortScan(stage.state, kUser2, ShippedNetwork());
  turn.red = PortScan(stage.state, kEnterprise0, ShippedNetwork());
  EXPECT_EQ(Observe(turn), 0x0800000000800u);
}

TEST(Observation, ForgetsActivityAndKeepsTheTable) {
  Stage stage;
  Turn& turn = stage.NewTurn();
  turn.red = {.host = kUser1, .count = 10, .local_ports = PortBit(22)};
  Observe(turn);
  EXPECT_EQ(Observe(stage.NewTurn()), 0x1000u);
}

}  // namespace
}  // namespace dray::cage2
