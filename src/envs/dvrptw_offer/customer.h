#pragma once

#include <cstdint>

#include "src/envs/delivery/flexibility.h"

namespace dray::dvrptw_offer {

using delivery::Flexibility;
using delivery::kFlexibilityTypes;
using delivery::TypeShares;

// The slots of a day. An action is a set of them: bit i means that slot i is offered.
inline constexpr int kSlots = 4;
inline constexpr int kOfferActions = 1 << kSlots;
inline constexpr int kOfferAll = kOfferActions - 1;

// A customer who is shown some slots and books one of them, or goes elsewhere.
struct Customer {
  int stop = 0;                           // index in the day's problem
  Flexibility type = Flexibility::kNone;  // hidden from the policy
  int personal_slot = 0;                  // the one slot that type none accepts
  double taste = 0;                       // picks among the slots it could take, in [0, 1)

  // Returns the slots that the customer accepts: the later two for late dropoff, the earlier two
  // for early pickup, the personal one for none, all for both.
  uint8_t Accepts() const;
  // Returns the slot that the customer books when offered these, or -1.
  int Books(int offered) const;
};

}  // namespace dray::dvrptw_offer
