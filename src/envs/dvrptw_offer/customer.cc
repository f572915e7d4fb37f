#include "src/envs/dvrptw_offer/customer.h"

#include <bit>

namespace dray::dvrptw_offer {

uint8_t Customer::Accepts() const {
  switch (type) {
    case Flexibility::kLateDropoff:
      return 0b1100;
    case Flexibility::kEarlyPickup:
      return 0b0011;
    case Flexibility::kNone:
      return 1 << personal_slot;
    case Flexibility::kBoth:
      break;
  }
  return kOfferAll;
}

int Customer::Books(int offered) const {
  const uint8_t possible = offered & Accepts();
  if (possible == 0) return -1;
  int skip = taste * std::popcount(possible);
  int slot = 0;
  while ((possible >> slot & 1) == 0 || skip-- > 0) ++slot;
  return slot;
}

}  // namespace dray::dvrptw_offer
