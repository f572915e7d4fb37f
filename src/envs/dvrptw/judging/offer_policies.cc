#include "src/envs/dvrptw/judging/offer_policies.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray {
namespace {

using SlotPrices = OfferEnv::SlotPrices;

// All that a policy may go by.
struct Seen {
  const OfferDay& day;
  const SlotPrices& prices;
  TypeShares shares;
  uint64_t seed;

  bool Possible(int slot) const { return PriceOf(slot) != PricedInsertion::kImpossible; }
  int64_t PriceOf(int slot) const { return prices[static_cast<size_t>(slot)]; }
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

// What a customer that takes `accepted` adds, on average over its taste, once `offered` are shown.
double CostOf(const Seen& seen, int32_t offered, int32_t accepted) {
  double sum = 0;
  int count = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    if ((offered & accepted) >> slot & 1) {
      sum += static_cast<double>(seen.PriceOf(slot));
      ++count;
    }
  }
  return count > 0 ? sum / count : static_cast<double>(seen.day.lost_penalty());
}

double ExpectedCost(const Seen& seen, int32_t offered) {
  double cost = 0;
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    for (int personal = 0; personal < kSlots; ++personal) {
      const OfferCustomer customer{.type = static_cast<Flexibility>(type),
                                   .personal_slot = personal};
      cost += seen.shares[type] / kSlots * CostOf(seen, offered, customer.Accepts());
    }
  }
  return cost;
}

// Of equals, the larger offer.
int32_t Myopic(const Seen& seen) {
  const int32_t all = AllSlots(seen);
  int32_t best = all;
  for (int32_t action = kOfferAll; action >= 0; --action) {
    if ((action & ~all) != 0) continue;
    if (ExpectedCost(seen, action) < ExpectedCost(seen, best) - 1e-6) best = action;
  }
  return best;
}

int32_t CheapestAccepted(const Seen& seen) {
  return Cheapest(seen, AllSlots(seen) & seen.day.customer().Accepts(), 1);
}

int32_t MyopicTrue(const Seen& seen) {
  const int32_t best = CheapestAccepted(seen);
  const auto lost = static_cast<double>(seen.day.lost_penalty());
  return CostOf(seen, best, best) < lost ? best : 0;
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
    {"myopic_true", MyopicTrue},
};

const NamedPolicy* Find(const std::string& name) {
  const auto at = std::ranges::find(kPolicies, name, &NamedPolicy::name);
  return at == std::end(kPolicies) ? nullptr : at;
}

// A policy that looks at one environment at a time.
class OfferOneByOne : public Player {
 public:
  OfferOneByOne(const OfferEnv& env, const NamedPolicy& policy, TypeShares shares, uint64_t seed)
      : env_(env), policy_(policy), shares_(shares), seed_(seed) {}

  void Begin(int /*first*/, int /*count*/) override {}
  void Act(const Observed& /*observed*/, const ActionSlots& actions) override {
    for (size_t i = 0; i < actions.indices.size(); ++i) {
      const int index = static_cast<int>(i);
      actions.indices[i] = policy_.choose({env_.day(index), env_.prices(index), shares_, seed_});
    }
  }

 private:
  const OfferEnv& env_;
  const NamedPolicy& policy_;
  TypeShares shares_;
  uint64_t seed_;
};

}  // namespace

std::vector<std::string> OfferBaselineNames() {
  std::vector<std::string> names;
  for (const NamedPolicy& policy : kPolicies) names.emplace_back(policy.name);
  return names;
}

void ExpectOfferBaseline(const std::string& name) {
  if (Find(name) != nullptr) return;
  std::string known;
  for (const std::string& other : OfferBaselineNames()) known += Cat(", ", other);
  throw UsageError("--baselines: there is no baseline \"", name, "\" in the mode offer; known: all",
                   known);
}

std::unique_ptr<Player> MakeOfferBaseline(const std::string& name, const OfferEnv& env,
                                          DvrptwConfig::TypeSplit types, uint64_t seed) {
  ExpectOfferBaseline(name);
  return std::make_unique<OfferOneByOne>(env, *Find(name), SharesOf(types), seed);
}

}  // namespace dray
