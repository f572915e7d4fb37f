#include "src/envs/cage2/game.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/monitor.h"
#include "tests/envs/cage2/scenario2.h"
#include "tests/envs/cage2/staged.h"

namespace dray::cage2 {
namespace {

constexpr int kRestoreServer = ActionId(BlueKind::kRestore, kOpServer0);

TEST(Reward, CountsPrivilegedHostsByWeight) {
  State state = Start();
  state.red = RedAgent::kSleep;
  state.privileged |= Bit(kUser1) | Bit(kEnterprise0) | Bit(kOpServer0) | Bit(kOpHost0);
  state.sessions[kEnterprise1] = 1;  // costs nothing
  StagedChance chance;
  EXPECT_EQ(GameAt(state).Step(0, chance).reward(), -2.2);
}

TEST(Reward, AStoppedServerCostsTenUntilItIsRestored) {
  State state = Start();
  state.server_up = 0;
  Game game = GameAt(state);
  StagedChance chance;
  EXPECT_EQ(game.Step(0, chance).reward(), -10.0);
  EXPECT_EQ(game.Step(0, chance).reward(), -10.0);
  EXPECT_EQ(game.Step(kRestoreServer, chance).reward(), -1.0);
  EXPECT_EQ(game.Step(0, chance).reward(), 0.0);
}

TEST(Reward, IsExactToTheTenth) {
  State state = Start();
  state.privileged |= Bit(kUser1) | Bit(kUser2) | Bit(kUser3);
  StagedChance chance;
  EXPECT_EQ(GameAt(state).Step(0, chance).reward(), -0.3);
  EXPECT_EQ(GameAt(state).Step(ActionId(BlueKind::kRestore, kUser0), chance).reward(), -1.3);
}

TEST(Step, BlueMovesBeforeRed) {
  Game game;
  game.Reset(RedAgent::kBline);
  StagedChance chance;
  chance.host = kUser1;
  for (int i = 0; i < 3; ++i) game.Step(0, chance);
  ASSERT_NE(game.privileged_hosts() & Bit(kUser1), 0);
  const StepRecord restored = game.Step(ActionId(BlueKind::kRestore, kUser1), chance);
  EXPECT_EQ(restored.red_action, RedAction::kEscalate);
  EXPECT_FALSE(restored.red_success);
  const StepRecord again = game.Step(ActionId(BlueKind::kRestore, kUser1), chance);
  EXPECT_TRUE(again.red_success) << "red breaks in after the restore of the same step";
  EXPECT_EQ(again.reward(), -1.1);
}

TEST(Step, ADecoyCatchesTheScanOfTheSameStep) {
  Game game;
  game.Reset(RedAgent::kBline);
  StagedChance chance;
  chance.host = kUser1;
  game.Step(0, chance);
  game.Step(ActionId(BlueKind::kDecoyTomcat, kUser1), chance);
  EXPECT_EQ(game.Step(0, chance).remembered_ports, PortBit(21) | PortBit(22) | PortBit(443));
}

TEST(Step, AnalyseReadsTheDiskBeforeRedMoves) {
  Game game;
  game.Reset(RedAgent::kBline);
  StagedChance chance;
  chance.host = kUser1;
  game.Step(0, chance);
  game.Step(0, chance);
  const int analyse = ActionId(BlueKind::kAnalyse, kUser1);
  EXPECT_EQ(CompromisedIn(game.Step(analyse, chance).observation, kUser1), Compromised::kUser);
  EXPECT_EQ(CompromisedIn(game.Step(analyse, chance).observation, kUser1),
            Compromised::kPrivileged);
}

TEST(Game, KnowsWhereRedIs) {
  Game game;
  game.Reset(RedAgent::kSleep);
  EXPECT_EQ(game.compromised_hosts(), Bit(kUser0));
  State state = Start();
  state.sessions[kEnterprise1] = 1;
  state.privileged |= Bit(kUser3);
  const Game later = GameAt(state);
  EXPECT_EQ(later.compromised_hosts(), Bit(kUser0) | Bit(kUser3) | Bit(kEnterprise1));
  EXPECT_EQ(later.privileged_hosts(), Bit(kUser0) | Bit(kUser3));
}

TEST(Green, ScansAndDoesNothingElse) {
  Game game({.green = true});
  game.Reset(RedAgent::kSleep);
  const State before = game.state();
  StagedChance chance;
  chance.green_scan = kUser1;
  const StepRecord record = game.Step(0, chance);
  EXPECT_EQ(record.green_scan, kUser1);
  EXPECT_EQ(record.observation, 0x8000u);
  EXPECT_EQ(std::memcmp(&before, &game.state(), sizeof(State)), 0);
}

TEST(Green, IsOffUnlessAskedFor) {
  Game game;
  game.Reset(RedAgent::kSleep);
  StagedChance chance;
  chance.green_scan = kUser1;
  EXPECT_EQ(game.Step(0, chance).observation, 0u);
}

TEST(Wrapper, DecidesWhatAScanInADecoysFirstStepLooksLike) {
  for (const Wrapper wrapper : {Wrapper::kStock, Wrapper::kCardiff}) {
    Game game({.wrapper = wrapper});
    game.Reset(RedAgent::kBline);
    StagedChance chance;
    chance.host = kUser3;
    for (int i = 0; i < 4; ++i) game.Step(0, chance);
    const StepRecord record = game.Step(ActionId(BlueKind::kDecoyTomcat, kEnterprise0), chance);
    ASSERT_EQ(record.red_target, kEnterprise0);
    EXPECT_EQ(ActivityIn(record.observation, kEnterprise0),
              wrapper == Wrapper::kStock ? Activity::kNone : Activity::kScan);
  }
}

// Plays an episode against B_line with the given action at each step; the rewards.
std::vector<double> Rewards(const std::function<int(int)>& action, Rng& rng) {
  Game game;
  game.Reset(RedAgent::kBline);
  RngChance chance(rng);
  std::vector<double> rewards;
  for (int step = 1; step <= 100; ++step)
    rewards.push_back(game.Step(action(step), chance).reward());
  return rewards;
}

double MeanReturn(const std::function<int(int)>& action, int* disrupted_steps) {
  constexpr int kEpisodes = 2000;
  Rng rng(1, RngPurpose::kTest, 0);
  double total = 0;
  *disrupted_steps = 0;
  for (int i = 0; i < kEpisodes; ++i) {
    for (const double reward : Rewards(action, rng)) {
      total += reward;
      *disrupted_steps += reward <= -10;
    }
  }
  return total / kEpisodes;
}

// Means over 15 episodes of the original, whose standard error is about 5.
TEST(Immunity, OneRestoreOfTheServerProtectsItForTheRestOfTheEpisode) {
  int disrupted = 0;
  EXPECT_NEAR(MeanReturn([](int) { return 0; }, &disrupted), -1136, 15);
  EXPECT_GT(disrupted, 0);
  const auto restore_at_1 = [](int step) { return step == 1 ? kRestoreServer : 0; };
  EXPECT_NEAR(MeanReturn(restore_at_1, &disrupted), -281, 5);
  EXPECT_EQ(disrupted, 0);
  const auto restore_at_25 = [](int step) { return step == 25 ? kRestoreServer : 0; };
  EXPECT_NEAR(MeanReturn(restore_at_25, &disrupted), -374, 15);
  const auto restore_twice = [](int step) { return step == 40 || step == 70 ? kRestoreServer : 0; };
  EXPECT_NEAR(MeanReturn(restore_twice, &disrupted), -522, 15);
}

struct Play {
  Play(RedAgent red, bool green, uint64_t seed)
      : game({.green = green}),
        rng(seed, RngPurpose::kTest, 0),
        actions(seed, RngPurpose::kTest, 1) {
    game.Reset(red);
  }

  std::vector<StepRecord> Steps(int count) {
    RngChance chance(rng);
    std::vector<StepRecord> records;
    for (int i = 0; i < count; ++i)
      records.push_back(game.Step(static_cast<int>(actions.Below(kBlueActions)), chance));
    return records;
  }

  Game game;
  Rng rng;
  Rng actions;
};

bool Same(const std::vector<StepRecord>& a, const std::vector<StepRecord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.observation == y.observation && x.reward_tenths == y.reward_tenths &&
           x.red_action == y.red_action && x.red_target == y.red_target &&
           x.candidates == y.candidates;
  });
}

TEST(Game, TheSameSeedGivesTheSameEpisode) {
  for (const RedAgent red : {RedAgent::kBline, RedAgent::kMeander}) {
    const auto records = Play(red, true, 5).Steps(200);
    EXPECT_TRUE(Same(records, Play(red, true, 5).Steps(200)));
    EXPECT_FALSE(Same(records, Play(red, true, 6).Steps(200)));
  }
}

TEST(Game, ASavedStateGoesOnAsTheOriginalWould) {
  for (const RedAgent red : {RedAgent::kBline, RedAgent::kMeander}) {
    Play play(red, true, 7);
    play.Steps(37);
    ByteWriter out;
    play.game.Save(out);
    Play other = play;
    other.game = Game({.green = true});
    ByteReader in(out.bytes(), "a saved game");
    other.game.Load(in);
    in.ExpectEnd();
    EXPECT_TRUE(Same(play.Steps(100), other.Steps(100)));
    EXPECT_EQ(std::memcmp(&play.game.state(), &other.game.state(), sizeof(State)), 0);
  }
}

TEST(Game, EveryStateOfPlayIsPlausible) {
  for (const RedAgent red : {RedAgent::kBline, RedAgent::kMeander, RedAgent::kSleep}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Play play(red, seed % 2 == 0, seed);
      for (int i = 0; i < 300; ++i) {
        play.Steps(1);
        ASSERT_TRUE(Plausible(play.game.state()));
      }
    }
  }
}

TEST(Game, RefusesDamagedStates) {
  const std::function<void(State&)> damages[] = {
      [](State& s) { s.compromised = uint64_t{1} << 60; },
      [](State& s) { s.compromised = 0b1000; },
      [](State& s) { s.privileged = 0; },
      [](State& s) { s.privileged |= 1u << 13; },
      [](State& s) { s.sessions[3] = kMostSessions + 1; },
      [](State& s) { s.known_processes[3] = 1; },
      [](State& s) { s.decoy_ports[3] = PortBit(21); },
      [](State& s) { s.decoys[3] = 1; },
      [](State& s) { s.remembered_ports[3] = 1u << 12; },
      [](State& s) { s.server_up = 2; },
      [](State& s) { s.red = static_cast<RedAgent>(3); },
      [](State& s) { s.bline.stage = 15; },
      [](State& s) { s.bline.stage = 1; },
      [](State& s) { s.bline.user = 13; },
      [](State& s) { s.meander.last_exploited = 13; },
      [](State& s) { s.meander.known_subnets = 8; },
      [](State& s) { s.meander.scanned = 1u << 14; },
  };
  for (const auto& damage : damages) {
    State state = Start();
    damage(state);
    EXPECT_FALSE(Plausible(state)) << &damage - damages;
    EXPECT_THROW(GameAt(state), Error);
  }
}

// Whatever passes as plausible must at least be safe to play on with.
TEST(Game, RandomDamageIsRefusedOrHarmless) {
  Rng rng(3, RngPurpose::kTest, 2);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    State state = Start();
    std::array<unsigned char, sizeof(State)> bytes;
    std::memcpy(bytes.data(), &state, sizeof(State));
    for (int k = 0; k < 3; ++k)
      bytes[rng.Below(sizeof(State))] = static_cast<unsigned char>(rng.Next32());
    std::memcpy(&state, bytes.data(), sizeof(State));
    if (!Plausible(state)) continue;
    ++taken;
    Game game = GameAt(state);
    RngChance chance(rng);
    for (int step = 0; step < 30; ++step)
      game.Step(static_cast<int>(rng.Below(kBlueActions)), chance);
    ASSERT_TRUE(Plausible(game.state()));
  }
  EXPECT_GT(taken, 0);
}

}  // namespace
}  // namespace dray::cage2
