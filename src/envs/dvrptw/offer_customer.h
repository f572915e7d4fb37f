#pragma once

#include <cstdint>

#include "src/envs/dvrptw/riders.h"

namespace dray {

// Offer: a customer is shown some of the day's four slots and books one, or goes elsewhere.
inline constexpr int kSlots = 4;
inline constexpr int kOfferActions = 1 << kSlots;  // bit i: slot i is offered
inline constexpr int kOfferAll = kOfferActions - 1;

struct OfferCustomer {
  int stop = 0;                           // of the template
  Flexibility type = Flexibility::kNone;  // hidden from the policy
  int personal_slot = 0;                  // the one that type none accepts
  double taste = 0;                       // in [0, 1): which of the slots it could take it takes

  // Late dropoff takes the later two, early pickup the earlier two, none its own, both any.
  uint8_t Accepts() const;
  // The slot that it books when it is shown these, or -1.
  int Books(int offered) const;
};

}  // namespace dray
