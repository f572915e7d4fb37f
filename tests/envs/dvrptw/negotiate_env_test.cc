#include "src/envs/dvrptw/negotiate_env.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "src/base/error.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"
#include "tests/envs/delivery/game.h"
#include "tests/envs/dvrptw/counts_table.h"

namespace dray::dvrptw {
namespace {

DvrptwConfig Small(int customers = 10) {
  DvrptwConfig config;
  config.set_num_customers(customers);
  config.mutable_oracle()->set_rounds(3);
  return config;
}

constexpr EnvStreams kStreams{.seed = 5, .purpose = RngPurpose::kEnvironment, .first_index = 0};

struct Negotiations : delivery::Game<NegotiateEnv> {
  using Game::Game;
  explicit Negotiations(const DvrptwConfig& config, int count = 4, EnvStreams streams = kStreams)
      : Game(config, count, streams) {}
};

double Stat(const NegotiateEnv& env, const Episode& episode, const std::string& name) {
  const auto& names = env.spec().episode_stats;
  const auto at = std::ranges::find(names, name) - names.begin();
  return episode.stats.at(static_cast<size_t>(at));
}

TEST(Negotiate, RewardsR1SumToMinusFinalCostAndPatienceExactly) {
  Negotiations game(Small());
  for (int step = 0; step < 30; ++step) game.player.Step();
  const auto episodes = game.env.TakeEpisodes();
  ASSERT_EQ(episodes.size(), 12u);
  for (const Episode& episode : episodes) {
    EXPECT_NEAR(episode.total_reward, -Stat(game.env, episode, "objective_min"), 1e-9);
    EXPECT_NEAR(Stat(game.env, episode, "cost_min") + Stat(game.env, episode, "patience_min"),
                Stat(game.env, episode, "objective_min"), 1e-9);
  }
}

TEST(Negotiate, RewardsR3SumToTheGainOverThePlanThatNeverShifts) {
  DvrptwConfig config = Small();
  config.set_reward(DvrptwConfig::AGAINST_NO_SHIFTS);
  Negotiations game(config);
  for (int step = 0; step < 30; ++step) game.player.Step();
  const std::vector<Episode> episodes = game.env.TakeEpisodes();
  EXPECT_EQ(std::ssize(episodes), 3 * game.env.size());
  for (const Episode& episode : episodes) {
    EXPECT_NEAR(
        episode.total_reward,
        Stat(game.env, episode, "no_shift_cost_min") - Stat(game.env, episode, "objective_min"),
        1e-9);
  }
}

TEST(Negotiate, WithoutShiftsR3AndR4AreZero) {
  for (const auto reward :
       {DvrptwConfig::AGAINST_NO_SHIFTS, DvrptwConfig::AGAINST_UNSHIFTED_REQUEST}) {
    DvrptwConfig config = Small();
    config.set_reward(reward);
    Negotiations game(config);
    for (int step = 0; step < 10; ++step) {
      game.StepAll(kNoShift);
      ASSERT_EQ(std::ssize(game.player.rewards), game.env.size());
      for (const float value : game.player.rewards) EXPECT_EQ(value, 0);
    }
  }
}

TEST(Negotiate, RewardR4ComparesWithTheRequestAsItWasAskedFor) {
  DvrptwConfig config = Small();
  config.set_reward(DvrptwConfig::AGAINST_UNSHIFTED_REQUEST);
  config.mutable_oracle()->set_rounds(0);
  Negotiations game(config, 1);
  InsertionOracle oracle;
  RuinRecreateOracle same({.rounds = 0, .seed = config.oracle().seed()});
  for (int step = 0; step < 9; ++step) {
    const Day& day = game.env.day(0);
    Problem original = day.own.problem;
    AddRequest(day.asked(), 0, original);
    const int64_t as_asked = same.ImproveOne(original, day.own.plan).cost.total();
    game.StepAll(15);
    const double gain = static_cast<double>(as_asked - day.own.cost) / kTicksPerMinute;
    EXPECT_NEAR(game.player.rewards[0], gain - day.penalty_min(), 1e-4) << step;
  }
}

TEST(Negotiate, RewardsR5SumToTheGainOverGivingTheCheapestShiftsAllDay) {
  DvrptwConfig config = Small();
  config.set_reward(DvrptwConfig::AGAINST_CHEAPEST_DAY);
  Negotiations game(config);
  const auto ends = [&] {
    DayEnd end(game.env.world(), {.patience_weight = config.patience_weight(),
                                  .unserved_penalty = config.unserved_penalty(),
                                  .rounds = config.appraisal().rounds()});
    std::vector<double> minutes;
    for (int i = 0; i < game.env.size(); ++i) minutes.push_back(end.Of(game.env.day(i), 0));
    return minutes;
  };
  for (int day = 0; day < 3; ++day) {
    const std::vector<double> expected = ends();
    for (int step = 0; step < 10; ++step) game.player.Step();
    const std::vector<Episode> episodes = game.env.TakeEpisodes();
    EXPECT_EQ(std::ssize(episodes), game.env.size());
    for (const Episode& episode : episodes) {
      EXPECT_NEAR(
          episode.total_reward,
          expected[static_cast<size_t>(episode.env)] - Stat(game.env, episode, "objective_min"),
          1e-9);
    }
  }
}

TEST(Negotiate, R5OfTheCheapestShiftIsNothingWhereTheOracleOnlyInserts) {
  DvrptwConfig config = Small();
  config.set_reward(DvrptwConfig::AGAINST_CHEAPEST_DAY);
  config.mutable_appraisal()->set_rounds(0);
  config.mutable_oracle()->set_kind(OracleConfig::INSERTION);
  Negotiations game(config, 1);
  for (int step = 0; step < 9; ++step) {
    Sketch plan(game.env.world(), config.patience_weight());
    const Day& day = game.env.day(0);
    plan.Load(day.own.problem, day.own.plan);
    game.StepAll(plan.Cheapest(day.asked(), ShiftRange::Of(day.rider().type)).action);
    EXPECT_NEAR(game.player.rewards[0], 0, 1e-4) << step;
  }
}

TEST(Negotiate, EveryPlanCostsWhatDrivingItCosts) {
  DvrptwConfig config = Small(20);
  config.set_report_no_shift(true);
  Negotiations game(config);
  for (int step = 0; step < 19; ++step) {
    game.player.Step();
    for (int i = 0; i < game.env.size(); ++i) {
      for (const PlannedRequests* planned : {&game.env.day(i).own, &game.env.day(i).shadow}) {
        const Simulation driven = Simulate(planned->problem, planned->plan);
        EXPECT_TRUE(driven.violations.empty());
        EXPECT_EQ(driven.cost.unserved, 0);
        EXPECT_EQ(driven.cost.total(), planned->cost);
      }
    }
  }
}

TEST(Negotiate, ARefusalMeansTheOriginalWindowsAndNoPenalty) {
  DvrptwConfig config = Small();
  config.set_report_no_shift(true);
  auto never = [](const Rider&, const Trip&, int) { return false; };
  Negotiations game(std::make_unique<NegotiateEnv>(config, kStreams, 3, never), kStreams);
  for (int step = 0; step < 10; ++step) game.StepAll(0);
  const std::vector<Episode> episodes = game.env.TakeEpisodes();
  EXPECT_EQ(std::ssize(episodes), game.env.size());
  for (const Episode& episode : episodes) {
    EXPECT_EQ(Stat(game.env, episode, "cost_min"), Stat(game.env, episode, "no_shift_cost_min"));
    EXPECT_EQ(Stat(game.env, episode, "patience_min"), 0);
    EXPECT_EQ(Stat(game.env, episode, "acceptance"), 0);
  }
}

TEST(Negotiate, RandomActionsAreAcceptedIn25Of64CasesUnderUniformTypes) {
  DvrptwConfig config = Small(200);
  config.mutable_oracle()->set_kind(OracleConfig::INSERTION);
  config.mutable_oracle()->set_rounds(0);
  const auto world = MakeWorld(config);
  int accepted = 0, asked = 0;
  for (const Rider& rider : world->riders) {
    for (int action = 0; action < kShiftActions; ++action) {
      accepted += Accepts(rider.type, action);
      ++asked;
    }
  }
  EXPECT_NEAR(static_cast<double>(accepted) / asked, 25.0 / 64, 0.05);
}

TEST(Negotiate, TheOrderOfRidersIsAnotherInEveryEpisode) {
  Negotiations game(Small(), 1);
  std::set<std::vector<int>> orders;
  for (int episode = 0; episode < 20; ++episode) {
    std::vector<int> order;
    for (int step = 0; step < 10; ++step) {
      order.push_back(game.env.day(0).arrival().rider);
      game.player.Step();
    }
    std::vector<int> sorted = order;
    std::ranges::sort(sorted);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(sorted[i], i);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 20u);
}

// Counts calls and remembers their sizes.
class CountingOracle : public InsertionOracle {
 public:
  explicit CountingOracle(std::vector<size_t>* sizes) : sizes_(sizes) {}
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override {
    sizes_->push_back(problems.size());
    return InsertionOracle::Improve(problems, plans);
  }

 private:
  std::vector<size_t>* sizes_;
};

MadeOracle Counting(std::vector<size_t>* sizes) {
  return {std::make_shared<CountedOracle>(std::make_shared<CountingOracle>(sizes),
                                          /*max_batch=*/100)};
}

TEST(Negotiate, AStepOfAllEnvironmentsIsOneCallOfTheOracle) {
  std::vector<size_t> sizes;
  Negotiations game(
      std::make_unique<NegotiateEnv>(Small(), kStreams, 16, AcceptByType, Counting(&sizes)),
      kStreams);
  for (int step = 0; step < 10; ++step) game.player.Step();
  EXPECT_EQ(sizes, std::vector<size_t>(10, 16));
  const auto stats = game.env.TakeRolloutStats();
  EXPECT_EQ(stats[2], 10);
  EXPECT_EQ(stats[3], 160);
  EXPECT_EQ(stats[4], 16);
}

TEST(Negotiate, ThePlanWithoutShiftsIsPricedWhereRewardOrReportNeedsIt) {
  for (const auto reward : {DvrptwConfig::COST_DROP, DvrptwConfig::AGAINST_NO_SHIFTS,
                            DvrptwConfig::AGAINST_UNSHIFTED_REQUEST}) {
    for (const bool report : {false, true}) {
      DvrptwConfig config = Small();
      config.set_reward(reward);
      config.set_report_no_shift(report);
      std::vector<size_t> sizes;
      Negotiations game(
          std::make_unique<NegotiateEnv>(config, kStreams, 4, AcceptByType, Counting(&sizes)),
          kStreams);
      const bool needed = report || reward == DvrptwConfig::AGAINST_NO_SHIFTS;
      game.StepAll(kNoShift);
      EXPECT_EQ(sizes, std::vector<size_t>(1, needed ? 8 : 4));
      EXPECT_EQ(game.env.day(0).shadow.problem.requests.size(), needed ? 1u : 0u);
      EXPECT_EQ(std::ranges::count(game.env.spec().episode_stats, "no_shift_cost_min"), needed);
      EXPECT_EQ(game.env.Render(0).find("without shifts") != std::string::npos, needed);
    }
  }
}

TEST(Negotiate, ReportingThePlanWithoutShiftsChangesNothingElse) {
  DvrptwConfig config = Small();
  Negotiations plain(config);
  config.set_report_no_shift(true);
  Negotiations reporting(config);
  for (int step = 0; step < 20; ++step) {
    plain.player.Step();
    reporting.player.Step();
    for (size_t i = 0; i < 4; ++i) ASSERT_EQ(plain.player.BytesOf(i), reporting.player.BytesOf(i));
  }
  const auto ours = plain.env.TakeEpisodes(), theirs = reporting.env.TakeEpisodes();
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    for (const std::string& name : plain.env.spec().episode_stats) {
      EXPECT_EQ(Stat(plain.env, ours[i], name), Stat(reporting.env, theirs[i], name)) << name;
    }
  }
}

TEST(Negotiate, WhatWasSavedWithoutThePlanWithoutShiftsIsNotLoadedWithIt) {
  DvrptwConfig config = Small();
  Negotiations plain(config);
  config.set_report_no_shift(true);
  Negotiations reporting(config);
  ByteWriter out;
  plain.env.Save(out);
  const std::string saved = out.Take();
  ByteReader in(saved, "environments");
  EXPECT_THROW(reporting.env.Load(in), Error);
}

TEST(Negotiate, SplittingBatchesChangesNothing) {
  DvrptwConfig parted = Small();
  parted.mutable_oracle()->set_max_batch(3);
  Negotiations whole(Small(), 5), split(parted, 5);
  for (int step = 0; step < 25; ++step) {
    whole.player.Step();
    split.player.Step();
    for (size_t i = 0; i < 5; ++i) ASSERT_EQ(whole.player.BytesOf(i), split.player.BytesOf(i));
  }
}

TEST(Negotiate, EveryEncodingIsTheSameInAnyLayout) {
  for (const auto encoding : {DvrptwConfig::ROWS, DvrptwConfig::COUNTS, DvrptwConfig::TOKENS}) {
    DvrptwConfig config = Small();
    config.set_encoding(encoding);
    config.set_reward(DvrptwConfig::AGAINST_UNSHIFTED_REQUEST);
    config.set_belief_in_state(true);
    Negotiations whole(config, 5), part(config, 2, {.seed = 5, .first_index = 3});
    for (int step = 0; step < 25; ++step) {
      whole.player.Step();
      part.player.Step();
      for (size_t i = 0; i < 2; ++i) {
        ASSERT_EQ(whole.player.BytesOf(i + 3), part.player.BytesOf(i)) << step;
      }
    }
  }
}

TEST(Negotiate, BagsAddUpToTheTableOfCounts) {
  Negotiations game(Small(), 3);
  const CountsLayout layout(game.env.world().city.travel.places());
  ASSERT_EQ(game.env.spec().bag.width, layout.size());
  std::vector<std::vector<float>> joined(3, std::vector<float>(layout.size()));
  for (int step = 0; step < 25; ++step) {
    for (size_t i = 0; i < 3; ++i) {
      const Day& day = game.env.day(static_cast<int>(i));
      if (day.step() == 0) std::ranges::fill(joined[i], 0.0f);
      const auto bag = std::span(game.player.bags).subspan(i * 12, 12);
      for (const int16_t index : bag.last(6)) {
        if (index >= 0) ++joined[i][static_cast<size_t>(index)];
      }
      std::vector<float> table = joined[i];
      for (const int16_t index : bag.first(6)) ++table[static_cast<size_t>(index)];
      ASSERT_EQ(table, CountsTable(layout, day.agreed(), &day.asked())) << step;
      float columns[2] = {};
      for (size_t at = 0; at < table.size(); ++at) columns[at % 2] += table[at];
      EXPECT_EQ(columns[0], 6 * day.step());
      EXPECT_EQ(columns[1], 6);
    }
    game.player.Step();
  }
}

TEST(Negotiate, TokensPriceEveryActionAsAgreeingToItWould) {
  DvrptwConfig config = Small();
  config.set_encoding(DvrptwConfig::TOKENS);
  Negotiations game(config, 2);
  for (int step = 0; step < 9; ++step) {
    for (int i = 0; i < 2; ++i) {
      const Day& day = game.env.day(i);
      const auto context = game.player.ObservationOf(i).last(kShiftActions + 1);
      EXPECT_FLOAT_EQ(context[1 + kNoShift], 0);
      for (int action = 0; action < kShiftActions; ++action) {
        Problem agreed = day.own.problem;
        AddRequest(Shifted(day.asked(), action), 0, agreed);
        const int64_t cost =
            InsertionOracle(false).ImproveOne(agreed, day.own.plan).cost.total() - day.own.cost;
        EXPECT_NEAR(60 * context[0] + 10 * context[1 + action],
                    static_cast<double>(cost) / 10 + PatiencePenalty(action, 0.05), 2e-3);
      }
    }
    game.player.Step();
  }
}

std::string Published(const Beliefs& beliefs) {
  ByteWriter out;
  beliefs.Save(out);
  return out.Take();
}

TEST(Negotiate, MasksFollowTheNewestBeliefs) {
  Negotiations game(Small(4 * 3), 2);
  // Before anything is known every action is allowed.
  for (const uint8_t allowed : game.player.masks) EXPECT_EQ(allowed, 1);
  std::vector<TypeBelief> beliefs(12);
  for (size_t i = 0; i < beliefs.size(); ++i) beliefs[i][i % 4] = 1;
  const std::string published =
      Published(Beliefs(7, beliefs, std::vector<uint8_t>(beliefs.size(), 1)));
  game.env.OnRollout({.progress = 1, .side_model = published});
  game.player.Reset();
  const int sums[] = {4, 4, 1, 16};
  for (int step = 0; step < 12; ++step) {
    for (int i = 0; i < 2; ++i) {
      const int rider = game.env.day(i).arrival().rider;
      const auto mask = std::span(game.player.masks).subspan(static_cast<size_t>(i) * 16, 16);
      EXPECT_EQ(std::ranges::count(mask, 1), sums[rider % 4]);
      EXPECT_TRUE(std::ranges::equal(mask, MaskOf(static_cast<Flexibility>(rider % 4))));
    }
    game.player.Step();
  }
  EXPECT_EQ(game.env.TakeRolloutStats()[1], 7);
  EXPECT_THROW(game.env.OnRollout({.progress = 1, .side_model = "junk"}), Error);
  EXPECT_THROW(game.env.OnRollout({.progress = 1, .side_model = Published(Beliefs(3))}), Error);
}

TEST(Negotiate, OnADayAmongStrangersNobodyIsKnown) {
  DvrptwConfig config = Small(12);
  config.mutable_flexibility()->set_belief(FlexibilityConfig::TRUE_TYPES);
  config.mutable_flexibility()->set_epsilon_start(0);
  config.mutable_flexibility()->set_newcomer_share(0.25);
  Negotiations game(config, 400);
  const auto& env = game.env;
  int strangers = 0;
  for (int i = 0; i < 400; ++i) {
    const int rider = env.day(i).arrival().rider;
    const auto mask = std::span(game.player.masks).subspan(static_cast<size_t>(i) * 16, 16);
    const TypeBelief uniform = {0.25, 0.25, 0.25, 0.25};
    const bool unknown = !env.beliefs(i).known(rider);
    EXPECT_EQ(env.beliefs(i).belief(rider) == uniform, unknown);
    if (unknown) {
      EXPECT_EQ(std::ranges::count(mask, 1), 16);
    }
    strangers += unknown;
  }
  EXPECT_NEAR(strangers, 100, 30);
  // Judged is what is known.
  Negotiations judged(config, 400,
                      {.seed = 5, .purpose = RngPurpose::kEvaluation, .first_index = 0});
  for (int i = 0; i < 400; ++i) EXPECT_TRUE(judged.env.beliefs(i).known(0));
}

TEST(Negotiate, EpsilonFallsLinearlyAndExploresThatOften) {
  DvrptwConfig config = Small(20);
  config.mutable_oracle()->set_kind(OracleConfig::INSERTION);
  const std::string none =
      Published(Beliefs(1, std::vector<TypeBelief>(20, {0, 0, 1, 0}), std::vector<uint8_t>(20, 1)));
  for (const double progress : {0.0, 0.5, 1.0}) {
    Negotiations game(config, 20);
    game.env.OnRollout({.progress = progress, .side_model = none});
    EXPECT_NEAR(game.env.epsilon(), 0.2 * (1 - progress), 1e-12);
    game.player.Reset();
    int explored = 0, steps = 0;
    for (int step = 0; step < 100; ++step) {
      for (size_t i = 0; i < 20; ++i, ++steps) {
        const auto mask = std::span(game.player.masks).subspan(i * 16, 16);
        explored += std::ranges::count(mask, 1) > 1;
      }
      game.player.Step();
    }
    // A random type is the believed one in a quarter of the cases.
    EXPECT_NEAR(static_cast<double>(explored) / steps, 0.75 * game.env.epsilon(), 0.03);
  }
}

TEST(Negotiate, LegacyExplorationLeavesOneActionOfTheMask) {
  DvrptwConfig config = Small(10);
  config.mutable_flexibility()->set_exploration(FlexibilityConfig::WITHIN_MASK);
  config.mutable_flexibility()->set_epsilon_start(1);
  Negotiations game(config, 4);
  std::set<int> seen;
  for (int step = 0; step < 200; ++step) {
    for (size_t i = 0; i < 4; ++i) {
      const auto mask = std::span(game.player.masks).subspan(i * 16, 16);
      ASSERT_EQ(std::ranges::count(mask, 1), 1);
      seen.insert(static_cast<int>(std::ranges::find(mask, 1) - mask.begin()));
    }
    game.player.Step();
  }
  EXPECT_EQ(seen.size(), 16u);
}

TEST(Negotiate, ChoicesAreWhatRidersAnswered) {
  Negotiations game(Small(), 3);
  std::vector<Choice> expected;
  for (int step = 0; step < 10; ++step) {
    for (int i = 0; i < 3; ++i) {
      const int rider = game.env.day(i).arrival().rider;
      const bool accepts = Accepts(game.env.world().riders[static_cast<size_t>(rider)].type, 3);
      expected.push_back({rider, 3, static_cast<int16_t>(accepts)});
    }
    game.StepAll(3);
  }
  EXPECT_EQ(ChoicesOf(game.env.TakeSideSamples()), expected);
  EXPECT_TRUE(ChoicesOf(game.env.TakeSideSamples()).empty());
  EXPECT_THROW(ChoicesOf("junk"), Error);
}

DvrptwConfig OneVehicle() {
  DvrptwConfig config = Small(20);
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  config.set_capacity(1);
  return config;
}

TEST(Negotiate, AHardFleetDropsWhatItCannotServeAndGoesOn) {
  Negotiations game(OneVehicle(), 2);
  int dropped = 0;
  for (int step = 0; step < 20; ++step) {
    const int64_t before = game.env.day(0).own.cost;
    const int unserved = game.env.day(0).totals().unserved;
    game.StepAll(kNoShift);
    if (step == 19) break;
    if (game.env.day(0).totals().unserved > unserved) {
      ++dropped;
      EXPECT_EQ(game.player.rewards[0], -100);
      EXPECT_EQ(game.env.day(0).own.cost, before);
    }
    EXPECT_LE(game.env.day(0).own.plan.routes.size(), 1u);
  }
  EXPECT_GT(dropped, 3);
  const auto episodes = game.env.TakeEpisodes();
  ASSERT_EQ(episodes.size(), 2u);
  EXPECT_EQ(episodes[0].length, 20);
  EXPECT_EQ(Stat(game.env, episodes[0], "failure"), 1);
  EXPECT_GE(Stat(game.env, episodes[0], "unserved"), dropped);
}

TEST(Negotiate, TheLegacySwitchEndsAFailedEpisode) {
  DvrptwConfig config = OneVehicle();
  config.set_legacy_failure(true);
  Negotiations game(config, 2);
  EXPECT_FALSE(game.env.spec().fixed_length);
  for (int step = 0; step < 60; ++step) {
    game.StepAll(kNoShift);
    for (size_t i = 0; i < 2; ++i) {
      if (game.player.rewards[i] == -5000) {
        EXPECT_EQ(game.player.terminated[i], 1);
      }
    }
  }
  int early = 0;
  for (const Episode& episode : game.env.TakeEpisodes()) early += episode.length < 20;
  EXPECT_GT(early, 2);
}

TEST(Negotiate, NoiseTurnsThatManyAnswersRound) {
  DvrptwConfig config = Small(20);
  config.set_noise(0.25);
  config.mutable_oracle()->set_kind(OracleConfig::INSERTION);
  Negotiations game(config, 10);
  for (int step = 0; step < 200; ++step) game.StepAll(5);
  int against = 0, answers = 0;
  for (const Choice& choice : ChoicesOf(game.env.TakeSideSamples())) {
    const auto type = game.env.world().riders[static_cast<size_t>(choice.rider)].type;
    against += Accepts(type, choice.action) != (choice.accepted == 1);
    ++answers;
  }
  EXPECT_NEAR(static_cast<double>(against) / answers, 0.25, 0.03);
}

TEST(Negotiate, HeldOutRidersAreOthersInTheSameCity) {
  DvrptwConfig config = Small();
  const auto known = MakeWorld(config);
  config.set_held_out_riders(true);
  const auto unseen = MakeWorld(config);
  EXPECT_EQ(known->city.depot, unseen->city.depot);
  EXPECT_NE(known->riders[0].pool[0], unseen->riders[0].pool[0]);
}

TEST(Negotiate, From5To200CustomersArePlayed) {
  for (const int customers : {5, 200}) {
    for (const auto encoding : {DvrptwConfig::ROWS, DvrptwConfig::COUNTS, DvrptwConfig::TOKENS}) {
      DvrptwConfig config = Small(customers);
      config.set_encoding(encoding);
      config.mutable_oracle()->set_kind(OracleConfig::INSERTION);
      Negotiations game(config, 1);
      for (int step = 0; step < customers; ++step) game.player.Step();
      ASSERT_EQ(game.env.TakeEpisodes().size(), 1u);
    }
  }
}

}  // namespace
}  // namespace dray::dvrptw
