#include "src/envs/cage2/bline.h"

#include <gtest/gtest.h>

#include <string>

#include "src/envs/cage2/traces.h"
#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

// "EXP User2" and so on, up to the first impact.
std::string Story(Game& game, Chance& chance, int steps, int blue_action = 0) {
  std::string story;
  for (int i = 0; i < steps; ++i) {
    const StepRecord record = game.Step(blue_action, chance);
    story += std::string(ShortName(record.red_action)) + " " +
             std::string(TargetName(record, ShippedNetwork())) +
             (record.red_success ? "\n" : " failed\n");
  }
  return story;
}

RedMove NextMove(int stage, bool succeeded, Host user = kUser1) {
  Stage s;
  s.state.bline = {.stage = static_cast<uint8_t>(stage), .user = user, .sure_of_server = 1};
  s.state.red_succeeded = succeeded;
  return ChooseBline(ShippedNetwork(), s.state, s.chance);
}

TEST(Bline, TakesTheShortestWayToTheServer) {
  Game game;
  game.Reset(RedAgent::kBline);
  StagedChance chance;
  chance.host = kUser3;
  EXPECT_EQ(Story(game, chance, 15),
            "DRS User\nDNS User3\nEXP User3\nPE User3\nDNS Enterprise0\nEXP Enterprise0\n"
            "PE Enterprise0\nDRS Enterprise\nDNS Enterprise2\nEXP Enterprise2\nPE Enterprise2\n"
            "DNS Op_Server0\nEXP Op_Server0\nPE Op_Server0\nIMP Op_Server0\n");
  EXPECT_EQ(game.state().server_up, 0);
  EXPECT_EQ(Story(game, chance, 1), "IMP Op_Server0\n");
}

TEST(Bline, FailuresLeadWhereTheTableSays) {
  const RedAction drs = RedAction::kDiscoverSystems, dns = RedAction::kDiscoverServices,
                  exp = RedAction::kExploit, pe = RedAction::kEscalate;
  const std::pair<RedAction, int> after_failure[] = {{drs, static_cast<int>(kUserSubnet)},
                                                     {dns, kUser1},
                                                     {exp, kUser1},
                                                     {exp, kUser1},
                                                     {exp, kUser1},
                                                     {exp, kUser1},
                                                     {exp, kEnterprise1},
                                                     {exp, kEnterprise1},
                                                     {exp, kEnterprise1},
                                                     {exp, kEnterprise1},
                                                     {exp, kEnterprise2},
                                                     {exp, kEnterprise2},
                                                     {exp, kEnterprise2},
                                                     {exp, kOpServer0},
                                                     {pe, kOpServer0}};
  for (int stage = 0; stage < 15; ++stage) {
    const RedMove move = NextMove(stage, /*succeeded=*/false);
    EXPECT_EQ(move.action, after_failure[stage].first) << stage;
    EXPECT_EQ(move.target, after_failure[stage].second) << stage;
  }
}

TEST(Bline, TheWayInIsChosenOnceAndDecidesTheNext) {
  const Host links[] = {kEnterprise1, kEnterprise1, kEnterprise0, kEnterprise0};
  for (int i = 0; i < 4; ++i) {
    const auto user = static_cast<Host>(kUser1 + i);
    EXPECT_EQ(NextMove(1, true, user).target, user);
    EXPECT_EQ(NextMove(3, true, user).target, links[i]);
  }
}

TEST(Bline, NeverChoosesUser0) {
  Stage stage;
  stage.state.red_succeeded = 1;
  stage.chance.host = kUser0;
  EXPECT_EQ(ChooseBline(ShippedNetwork(), stage.state, stage.chance).target, kUser1);
}

TEST(Bline, BeginsAnewWhenTheServersScanSawNothing) {
  Stage stage;
  stage.state.bline = {.stage = 11, .user = kUser2, .sure_of_server = 0};
  stage.state.red_succeeded = 1;
  stage.state.scan_saw_ports = 0;
  const RedMove move = ChooseBline(ShippedNetwork(), stage.state, stage.chance);
  EXPECT_EQ(move.action, RedAction::kDiscoverServices);
  EXPECT_EQ(move.target, kUser2);
  EXPECT_EQ(stage.state.bline.stage, 1);
  // And again, as the exploit was still never begun.
  stage.state.bline.stage = 11;
  EXPECT_EQ(ChooseBline(ShippedNetwork(), stage.state, stage.chance).target, kUser2);
}

TEST(Bline, GoesOnOnceItBeganTheServersExploit) {
  Stage stage;
  stage.state.bline = {.stage = 11, .user = kUser2, .sure_of_server = 1};
  stage.state.red_succeeded = 1;
  stage.state.scan_saw_ports = 0;
  const RedMove move = ChooseBline(ShippedNetwork(), stage.state, stage.chance);
  EXPECT_EQ(move.action, RedAction::kExploit);
  EXPECT_EQ(move.target, kOpServer0);
}

TEST(Bline, DecoysMatterOnlyAfterANewScan) {
  Game game;
  game.Reset(RedAgent::kBline);
  StagedChance chance;
  chance.host = kUser3;
  Story(game, chance, 5);  // up to the scan of Enterprise0
  const StepRecord record = game.Step(ActionId(BlueKind::kDecoyTomcat, kEnterprise0), chance);
  EXPECT_EQ(record.exploit, Exploit::kSshBruteForce);
  EXPECT_TRUE(record.red_success);
}

}  // namespace
}  // namespace dray::cage2
