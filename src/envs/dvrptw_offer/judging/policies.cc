#include "src/envs/dvrptw_offer/judging/policies.h"

#include <algorithm>
#include <bit>

#include "src/base/error.h"
#include "src/envs/delivery/judging/one_by_one.h"
#include "src/envs/dvrptw_offer/booking_odds.h"

namespace dray::dvrptw_offer {
namespace {

// What a policy decides from.
struct Seen {
  const Day& day;
  const SlotPrices& prices;
  const BookingOdds& odds;
  uint64_t seed;

  bool Possible(int slot) const { return PriceOf(slot) != PricedInsertion::kImpossible; }
  int64_t PriceOf(int slot) const { return prices[slot]; }
};

int32_t AllSlots(const Seen& seen) {
  int32_t action = 0;
  for (int slot = 0; slot < kSlots; ++slot) action |= seen.Possible(slot) << slot;
  return action;
}

int32_t Random(const Seen& seen) {
  Rng rng = delivery::ActionRng(seen.day.key(), seen.day.step(), seen.seed);
  return rng.Below(kOfferActions) & AllSlots(seen);
}

int32_t FirstSlot(const Seen& seen) {
  const int32_t all = AllSlots(seen);
  return all & -all;
}

// Returns the `count` cheapest of `slots`; among equals, the earlier ones.
int32_t Cheapest(const Seen& seen, int32_t slots, int count) {
  int32_t chosen = 0;
  for (; count > 0; --count) {
    int best = -1;
    for (int slot = 0; slot < kSlots; ++slot) {
      if ((slots >> slot & 1) == 0 || (chosen >> slot & 1) == 1) continue;
      if (best < 0 || seen.PriceOf(slot) < seen.PriceOf(best)) best = slot;
    }
    if (best >= 0) chosen |= 1 << best;
  }
  return chosen;
}

int32_t CheapestSlot(const Seen& seen) { return Cheapest(seen, AllSlots(seen), 1); }
int32_t CheapestTwo(const Seen& seen) { return Cheapest(seen, AllSlots(seen), 2); }

int32_t Myopic(const Seen& seen) {
  return seen.odds.Cheapest(AllSlots(seen), seen.prices, seen.day.lost_penalty());
}

int32_t Keen(const Seen& seen) {
  return seen.odds.Cheapest(AllSlots(seen), seen.prices, KeenOnServing(seen.day.lost_penalty()));
}

int32_t CheapestAccepted(const Seen& seen) {
  return Cheapest(seen, AllSlots(seen) & seen.day.customer().Accepts(), 1);
}

int32_t MyopicTrue(const Seen& seen) {
  const int32_t best = CheapestAccepted(seen);
  if (best == 0) return 0;
  const int slot = std::countr_zero(uint32_t(best));
  return seen.PriceOf(slot) < seen.day.lost_penalty() ? best : 0;
}

struct NamedPolicy {
  const char* name;
  int32_t (*choose)(const Seen& seen);
};

constexpr NamedPolicy kPolicies[] = {
    {"all_slots", AllSlots},
    {"random", Random},
    {"first_slot", FirstSlot},
    {"cheapest_slot", CheapestSlot},
    {"cheapest_two", CheapestTwo},
    {"cheapest_accepted", CheapestAccepted},
    {"myopic", Myopic},
    {"keen", Keen},
    {"myopic_true", MyopicTrue},
};

const NamedPolicy* Find(const std::string& name) {
  const auto at = std::ranges::find(kPolicies, name, &NamedPolicy::name);
  return at == std::end(kPolicies) ? nullptr : at;
}

}  // namespace

std::vector<std::string> BaselineNames() {
  std::vector<std::string> names;
  for (const NamedPolicy& policy : kPolicies) names.emplace_back(policy.name);
  return names;
}

std::unique_ptr<Player> MakeBaseline(const std::string& name, const OfferEnv& env,
                                     delivery::TypeSplit types, uint64_t seed) {
  const NamedPolicy* policy = Find(name);
  DRAY_CHECK(policy != nullptr);
  return std::make_unique<delivery::OneByOne>(
      [&env, policy, odds = BookingOdds(delivery::SharesOf(types)), seed](int index, auto) {
        return policy->choose({env.day(index), env.prices(index), odds, seed});
      });
}

}  // namespace dray::dvrptw_offer
