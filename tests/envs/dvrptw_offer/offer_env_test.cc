#include "src/envs/dvrptw_offer/offer_env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "src/base/error.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"
#include "tests/envs/delivery/game.h"

namespace dray::dvrptw_offer {
namespace {

using testing::HasSubstr;

constexpr char kFile[] = "tests/data/solomon/25/C101.txt";
constexpr EnvStreams kStreams{.seed = 8, .purpose = RngPurpose::kEnvironment, .first_index = 0};

DvrptwOfferConfig Offers(int customers = 12) {
  DvrptwOfferConfig config;
  config.set_num_customers(customers);
  config.mutable_oracle()->set_rounds(3);
  return config;
}

struct Offered : delivery::Game<OfferEnv> {
  explicit Offered(const DvrptwOfferConfig& config, int count = 3, EnvStreams streams = kStreams)
      : Game(config, count, streams) {}
};

TEST(Offer, TypesAcceptTheirSlots) {
  EXPECT_EQ((Customer{0, Flexibility::kLateDropoff, 0, 0}.Accepts()), 0b1100);
  EXPECT_EQ((Customer{0, Flexibility::kEarlyPickup, 0, 0}.Accepts()), 0b0011);
  EXPECT_EQ((Customer{0, Flexibility::kNone, 2, 0}.Accepts()), 0b0100);
  EXPECT_EQ((Customer{0, Flexibility::kBoth, 0, 0}.Accepts()), 0b1111);
}

TEST(Offer, RewardsSumToMinusCostAndPenalties) {
  Offered game(Offers());
  std::vector<double> penalties(3);
  for (int step = 0; step < 12; ++step) {
    std::vector<int> before;
    for (int i = 0; i < 3; ++i) before.push_back(game.env.day(i).served());
    std::vector<int64_t> lost;
    for (int i = 0; i < 3; ++i) lost.push_back(game.env.day(i).lost_penalty());
    game.player.Step();
    for (size_t i = 0; i < 3 && step < 11; ++i) {
      if (game.env.day(static_cast<int>(i)).served() == before[i]) {
        EXPECT_FLOAT_EQ(game.player.rewards[i], static_cast<float>(lost[i]) / -10);
      }
    }
    for (size_t i = 0; i < 3; ++i) penalties[i] = static_cast<double>(lost[i]) / 10;
  }
  const std::vector<Episode> episodes = game.env.TakeEpisodes();
  EXPECT_EQ(episodes.size(), 3u);
  for (const Episode& episode : episodes) {
    const double cost = episode.stats[0], lost = episode.stats[4];
    EXPECT_NEAR(episode.total_reward, -cost - lost * penalties[static_cast<size_t>(episode.env)],
                1e-6);
  }
}

TEST(Offer, OfferingEverythingServesAllWhomSomeSlotFits) {
  DvrptwOfferConfig config = Offers(30);
  config.set_free_vehicles(30);
  Offered game(config, 2);
  for (int step = 0; step < 30; ++step) game.StepAll(kOfferAll);
  const std::vector<Episode> episodes = game.env.TakeEpisodes();
  EXPECT_EQ(episodes.size(), 2u);
  for (const Episode& episode : episodes) {
    // A customer far away cannot be reached in the first slot: types that want it alone are lost.
    EXPECT_GT(episode.stats[1], 0.8);
    EXPECT_EQ(episode.stats[5 + 3], 1.0);  // whoever takes any slot is served
  }
}

TEST(Offer, TurningEverybodyAwayCostsNothingButPenalties) {
  Offered game(Offers(), 2);
  for (int step = 0; step < 12; ++step) game.StepAll(0);
  const std::vector<Episode> episodes = game.env.TakeEpisodes();
  EXPECT_EQ(episodes.size(), 2u);
  for (const Episode& episode : episodes) {
    EXPECT_EQ(episode.stats[0], 0);
    EXPECT_EQ(episode.stats[1], 0);
    EXPECT_EQ(episode.stats[4], 12);
  }
}

TEST(Offer, OnlySlotsThatCanBeServedMayBeOffered) {
  DvrptwOfferConfig config = Offers(30);
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  Offered game(config, 4);
  std::set<int> allowed_counts;
  for (int step = 0; step < 60; ++step) {
    for (size_t i = 0; i < 4; ++i) {
      const auto mask = std::span(game.player.masks).subspan(i * 16, 16);
      EXPECT_EQ(mask[0], 1);
      const auto allowed = std::ranges::count(mask, 1);
      EXPECT_EQ(allowed & (allowed - 1), 0);  // all subsets of what is possible
      allowed_counts.insert(static_cast<int>(allowed));
    }
    game.player.Step();
    for (int i = 0; i < 4; ++i) {
      const Day& day = game.env.day(i);
      const Simulation driven = Simulate(day.own.problem, day.own.plan);
      EXPECT_TRUE(driven.violations.empty());
      EXPECT_EQ(driven.cost.unserved, 0);
      EXPECT_EQ(driven.cost.total(), day.own.cost);
    }
  }
  EXPECT_GT(allowed_counts.size(), 2u);
}

TEST(Offer, EnvironmentsAreTheSameInAnyLayoutAndAfterLoading) {
  for (const char* file : {"", kFile}) {
    DvrptwOfferConfig config = Offers();
    config.set_instance(file);
    Offered whole(config, 5), part(config, 2, {.seed = 8, .first_index = 3});
    for (int step = 0; step < 30; ++step) {
      whole.player.Step();
      part.player.Step();
      for (size_t i = 0; i < 2; ++i) {
        ASSERT_EQ(whole.player.BytesOf(i + 3), part.player.BytesOf(i)) << step;
      }
    }
    Offered copy(config, 5, {.seed = 9, .first_index = 0});
    copy.player.Load(whole.player.Saved());
    ASSERT_EQ(copy.player.Saved(), whole.player.Saved());
    for (int step = 0; step < 30; ++step) {
      whole.player.Step();
      copy.player.StepWith({.indices = whole.player.indices, .values = {}});
      for (size_t i = 0; i < 5; ++i) {
        ASSERT_EQ(whole.player.BytesOf(i), copy.player.BytesOf(i)) << step;
      }
    }
    const std::string saved = whole.player.Saved();
    for (size_t size = 0; size < saved.size(); size += 7) {
      EXPECT_THROW(copy.player.Load(std::string_view(saved).substr(0, size)), Error);
    }
  }
}

TEST(Offer, AFilesCustomersComeInRandomOrderWithTheirOwnWindows) {
  DvrptwOfferConfig config = Offers(25);
  config.set_instance(kFile);
  Offered game(config, 1);
  std::vector<int> order;
  for (int step = 0; step < 25; ++step) {
    const Day& day = game.env.day(0);
    order.push_back(day.customer().stop);
    const Stop& stop = day.stops().stops[static_cast<size_t>(day.customer().stop)];
    for (int slot = 0; slot < kSlots; ++slot) {
      const RequestWindows window = day.WindowOf(day.asked(), slot);
      EXPECT_GE(window.pickup_opens, stop.opens);
      EXPECT_LE(window.pickup_closes, stop.closes);
    }
    game.player.Step();
  }
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 25u);
  EXPECT_FALSE(std::ranges::is_sorted(order));
}

TEST(Offer, AFileWithTooFewCustomersIsNamed) {
  DvrptwOfferConfig config = Offers(30);
  config.set_instance(kFile);
  try {
    OfferEnv(config, kStreams, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("C101.txt has 25 customers"));
  }
}

std::string ErrorOf(const DvrptwOfferConfig& config) {
  try {
    OfferEnv(config, kStreams, 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(Offer, ARunsOwnConfigMeansTheSameDays) {
  const DvrptwOfferConfig config = Offers();
  DvrptwOfferConfig dumped;
  LoadYamlText(DumpYaml(config), "config.yaml", &dumped);
  Offered one(config), other(dumped);
  EXPECT_EQ(other.env.day(0).stops().fleet.capacity, 200);
  for (int step = 0; step < 12; ++step) {
    one.player.Step();
    other.player.Step();
    for (size_t i = 0; i < 3; ++i) ASSERT_EQ(one.player.BytesOf(i), other.player.BytesOf(i));
  }
}

TEST(Offer, CapacityIsThatOfTheSettingElseOfTheFile) {
  DvrptwOfferConfig config = Offers(25);
  config.set_capacity(50);
  EXPECT_EQ(Offered(config).env.day(0).stops().fleet.capacity, 50);
  config.set_capacity(28);
  EXPECT_THAT(ErrorOf(config), HasSubstr("env.dvrptw_offer.capacity: 28 is less than"));
  config.set_capacity(60);
  config.set_instance(kFile);
  EXPECT_EQ(Offered(config).env.day(0).stops().fleet.capacity, 60);
  config.clear_capacity();
  EXPECT_EQ(Offered(config).env.day(0).stops().fleet.capacity, 200);
}

TEST(Offer, AFilesVehiclesCostWhatTheSettingsSay) {
  DvrptwOfferConfig config = Offers(25);
  config.set_instance(kFile);
  config.set_extra_vehicle_cost(7);
  config.set_hard_fleet(true);
  const Fleet fleet = Offered(config).env.day(0).stops().fleet;
  EXPECT_EQ(fleet.free_vehicles, 25);
  EXPECT_EQ(fleet.extra_vehicle_cost, 70);
  EXPECT_TRUE(fleet.hard);
}

TEST(Offer, TypesHaveTheSharesThatTheSettingSays) {
  for (const auto split : {delivery::UNIFORM, delivery::SURVEYED}) {
    DvrptwOfferConfig config = Offers(30);
    config.set_type_split(split);
    Offered game(config, 100);
    TypeShares shares{};
    for (int day = 0; day < 100; ++day) {
      for (const Customer& customer : game.env.day(day).everybody()) {
        shares[static_cast<size_t>(customer.type)] += 1.0 / 3000;
      }
    }
    for (size_t type = 0; type < kFlexibilityTypes; ++type) {
      EXPECT_NEAR(shares[type], delivery::SharesOf(split)[type], 0.03) << type;
    }
  }
  EXPECT_NEAR(delivery::SharesOf(delivery::SURVEYED)[1], 13 / 30.0, 1e-9);
}

TEST(Offer, WhatThereIsToSayOfTheOracleIsSaid) {
  DvrptwOfferConfig config = Offers(60);
  config.mutable_oracle()->set_kind(OracleConfig::NEURAL);
  EXPECT_THAT(OfferEnv(config, kStreams, 1).spec().notes,
              testing::ElementsAre(HasSubstr("the neural oracle was trained on up to")));
}

}  // namespace
}  // namespace dray::dvrptw_offer
