#include "src/envs/dvrptw/judging/offer_policies.h"

#include <algorithm>
#include <bit>

#include "src/base/error.h"
#include "src/envs/dvrptw/booking_odds.h"

namespace dray {
namespace {

// All that a policy may go by.
struct Seen {
  const OfferDay& day;
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

// The chance of a step is named by episode and step, so that every policy's is its own.
int32_t Random(const Seen& seen) {
  const EpisodeKey& key = seen.day.key();
  Rng rng(seen.seed ^ (key.env << 32) ^ (key.episode << 16), RngPurpose::kAction,
          static_cast<uint64_t>(seen.day.step()));
  return static_cast<int32_t>(rng.Below(kOfferActions)) & AllSlots(seen);
}

int32_t FirstSlot(const Seen& seen) {
  const int32_t all = AllSlots(seen);
  return all & -all;
}

// The `count` cheapest of `slots`; of equals, the earlier.
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
  return seen.odds.Cheapest(AllSlots(seen), seen.prices,
                            static_cast<double>(seen.day.lost_penalty()));
}

int32_t Keen(const Seen& seen) {
  return seen.odds.Cheapest(AllSlots(seen), seen.prices,
                            KeenOnServing(static_cast<double>(seen.day.lost_penalty())));
}

int32_t CheapestAccepted(const Seen& seen) {
  return Cheapest(seen, AllSlots(seen) & seen.day.customer().Accepts(), 1);
}

int32_t MyopicTrue(const Seen& seen) {
  const int32_t best = CheapestAccepted(seen);
  if (best == 0) return 0;
  const int slot = std::countr_zero(static_cast<uint32_t>(best));
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

// A policy that looks at one environment at a time.
class OfferOneByOne : public Player {
 public:
  OfferOneByOne(const OfferEnv& env, const NamedPolicy& policy, const TypeShares& shares,
                uint64_t seed)
      : env_(env), policy_(policy), odds_(shares), seed_(seed) {}

  void Begin(int /*first*/, int /*count*/) override {}
  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    for (size_t i = 0; i < actions.indices.size(); ++i) {
      const int index = i;
      actions.indices[i] = policy_.choose({env_.day(index), env_.prices(index), odds_, seed_});
    }
  }

 private:
  const OfferEnv& env_;
  const NamedPolicy& policy_;
  BookingOdds odds_;
  uint64_t seed_;
};

}  // namespace

std::vector<std::string> OfferBaselineNames() {
  std::vector<std::string> names;
  for (const NamedPolicy& policy : kPolicies) names.emplace_back(policy.name);
  return names;
}

std::unique_ptr<Player> MakeOfferBaseline(const std::string& name, const OfferEnv& env,
                                          DvrptwConfig::TypeSplit types, uint64_t seed) {
  DRAY_CHECK(Find(name) != nullptr);
  return std::make_unique<OfferOneByOne>(env, *Find(name), SharesOf(types), seed);
}

}  // namespace dray
