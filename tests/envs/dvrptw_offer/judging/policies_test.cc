#include "src/envs/dvrptw_offer/judging/policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <vector>

#include "src/envs/dvrptw_offer/booking_odds.h"
#include "tests/envs/delivery/game.h"

namespace dray::dvrptw_offer {
namespace {

constexpr EnvStreams kStreams{.seed = 4, .purpose = RngPurpose::kEnvironment, .first_index = 0};
constexpr int kEnvs = 6;

DvrptwOfferConfig Offers() {
  DvrptwOfferConfig config;
  config.set_num_customers(20);
  config.mutable_oracle()->set_rounds(2);
  // One vehicle alone: some slots fill up, and all of them for some.
  config.set_hard_fleet(true);
  config.set_free_vehicles(1);
  return config;
}

int32_t PossibleSlots(const OfferEnv& env, int index) {
  int32_t slots = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    const int64_t price = env.prices(index)[static_cast<size_t>(slot)];
    slots |= (price != PricedInsertion::kImpossible) << slot;
  }
  return slots;
}

// Plays a day by a policy and looks at every choice before it is made.
void EveryChoice(const std::string& name,
                 const std::function<void(const OfferEnv&, int index, int32_t action)>& look,
                 delivery::TypeSplit types = delivery::UNIFORM) {
  delivery::Game<OfferEnv> game(Offers(), kEnvs, kStreams);
  const auto player = MakeBaseline(name, game.env, types, /*seed=*/9);
  std::vector<int32_t> actions(kEnvs);
  player->Begin(0, kEnvs);
  for (int step = 0; step < 20; ++step) {
    player->Act({game.player.observations, game.player.masks, {}}, {actions, {}});
    for (int i = 0; i < kEnvs; ++i) look(game.env, i, actions[static_cast<size_t>(i)]);
    game.player.StepWith({.indices = actions, .values = {}});
  }
}

int64_t PriceOf(const OfferEnv& env, int index, int32_t single) {
  return env.prices(index)[static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(single)))];
}

int64_t LeastPrice(const OfferEnv& env, int index) {
  return *std::ranges::min_element(env.prices(index));
}

TEST(OfferPolicies, NoneOffersWhatNobodyCanServe) {
  for (const std::string& name : BaselineNames()) {
    int turned_away = 0;
    EveryChoice(name, [&](const OfferEnv& env, int index, int32_t action) {
      const int32_t possible = PossibleSlots(env, index);
      EXPECT_EQ(action & ~possible, 0) << name;
      turned_away += possible == 0;
    });
    EXPECT_GT(turned_away, 0) << name;
  }
}

TEST(OfferPolicies, AllSlotsAreAllThatCanBeServed) {
  EveryChoice("all_slots", [](const OfferEnv& env, int index, int32_t action) {
    EXPECT_EQ(action, PossibleSlots(env, index));
  });
}

TEST(OfferPolicies, TheFirstSlotIsTheEarliestAlone) {
  EveryChoice("first_slot", [](const OfferEnv& env, int index, int32_t action) {
    const int32_t possible = PossibleSlots(env, index);
    ASSERT_EQ(std::popcount(static_cast<uint32_t>(action)), possible == 0 ? 0 : 1);
    if (possible == 0) return;
    EXPECT_EQ(possible & (action - 1), 0);
  });
}

TEST(OfferPolicies, TheCheapestSlotAddsLeastAndTheSecondComesNext) {
  EveryChoice("cheapest_slot", [](const OfferEnv& env, int index, int32_t action) {
    if (PossibleSlots(env, index) == 0) return;
    ASSERT_EQ(std::popcount(static_cast<uint32_t>(action)), 1);
    EXPECT_EQ(PriceOf(env, index, action), LeastPrice(env, index));
  });
  EveryChoice("cheapest_two", [](const OfferEnv& env, int index, int32_t action) {
    const int32_t possible = PossibleSlots(env, index);
    const int count = std::popcount(static_cast<uint32_t>(possible));
    ASSERT_EQ(std::popcount(static_cast<uint32_t>(action)), std::min(2, count));
    for (int slot = 0; slot < kSlots; ++slot) {
      if ((possible & ~action) >> slot & 1) {
        const int32_t first = action & -action, second = action & ~first;
        EXPECT_GE(PriceOf(env, index, 1 << slot), PriceOf(env, index, first));
        EXPECT_GE(PriceOf(env, index, 1 << slot), PriceOf(env, index, second));
      }
    }
  });
}

TEST(OfferPolicies, RandomOffersEverySetAndTheSameOnesAgain) {
  std::map<int32_t, int> seen;
  std::vector<int32_t> first, again;
  EveryChoice("random", [&](const OfferEnv&, int, int32_t action) {
    ++seen[action];
    first.push_back(action);
  });
  EveryChoice("random", [&](const OfferEnv&, int, int32_t action) { again.push_back(action); });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_EQ(first, again);
}

TEST(OfferPolicies, WhoKnowsTheTypeOffersTheCheapestSlotThatIsTaken) {
  int turned_away = 0;
  for (const bool selective : {false, true}) {
    const char* name = selective ? "myopic_true" : "cheapest_accepted";
    EveryChoice(name, [&](const OfferEnv& env, int index, int32_t action) {
      const Day& day = env.day(index);
      int64_t least = PricedInsertion::kImpossible;
      for (int slot = 0; slot < kSlots; ++slot) {
        if (day.customer().Accepts() >> slot & 1) {
          least = std::min(least, PriceOf(env, index, 1 << slot));
        }
      }
      if (action == 0) {
        const bool dear = selective && least >= day.lost_penalty();
        EXPECT_TRUE(dear || least == PricedInsertion::kImpossible);
        turned_away += least != PricedInsertion::kImpossible;
      } else {
        EXPECT_TRUE((action & day.customer().Accepts()) != 0);
        EXPECT_EQ(PriceOf(env, index, action), least);
      }
    });
  }
  EXPECT_GT(turned_away, 0);
}

// What a customer of unknown type adds: each of many customers books as Day has it.
double MeanCost(const OfferEnv& env, int index, int32_t offered, const TypeShares& shares) {
  constexpr int kTastes = 12;  // as many of them in each of two, three and four parts
  double sum = 0;
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    for (int of = 0; of < kSlots * kTastes; ++of) {
      const Customer customer{0, static_cast<Flexibility>(type), of / kTastes, 0};
      std::vector<int64_t> costs;
      for (int slot = 0; slot < kSlots; ++slot) {
        if ((offered & customer.Accepts()) >> slot & 1) {
          costs.push_back(PriceOf(env, index, 1 << slot));
        }
      }
      if (costs.empty()) costs.push_back(env.day(index).lost_penalty());
      const size_t booked = static_cast<size_t>(of % kTastes) * costs.size() / kTastes;
      sum += shares[type] * static_cast<double>(costs[booked]) / (kSlots * kTastes);
    }
  }
  return sum;
}

TEST(OfferPolicies, TheMyopicOfferHasTheLeastExpectedCost) {
  for (const auto types : {delivery::UNIFORM, delivery::SURVEYED}) {
    std::map<int32_t, int> seen;
    EveryChoice(
        "myopic",
        [&](const OfferEnv& env, int index, int32_t action) {
          const double cost = MeanCost(env, index, action, delivery::SharesOf(types));
          const int32_t possible = PossibleSlots(env, index);
          for (int32_t other = 0; other < kOfferActions; ++other) {
            if ((other & ~possible) != 0) continue;
            EXPECT_LE(cost, MeanCost(env, index, other, delivery::SharesOf(types)) + 1e-5);
          }
          ++seen[action];
        },
        types);
    EXPECT_GT(seen.size(), 4u);
  }
}

TEST(OfferPolicies, TheKeenOfferIsTheMyopicOneWithADearerLoss) {
  const BookingOdds odds(delivery::SharesOf(delivery::UNIFORM));
  int larger = 0;
  EveryChoice("keen", [&](const OfferEnv& env, int index, int32_t action) {
    const auto lost = static_cast<double>(env.day(index).lost_penalty());
    const int32_t possible = PossibleSlots(env, index);
    EXPECT_EQ(action, odds.Cheapest(possible, env.prices(index), 3 * lost));
    larger += action != odds.Cheapest(possible, env.prices(index), lost);
  });
  EXPECT_GT(larger, 0);
}

}  // namespace
}  // namespace dray::dvrptw_offer
