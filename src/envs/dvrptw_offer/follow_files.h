#pragma once

#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"

namespace dray::dvrptw_offer {

// Sets num_customers, unless it was given, to the number of customers in the instance if that is
// below the default. Throws an Error if the file has too few.
void FollowFiles(DvrptwOfferConfig* config);

}  // namespace dray::dvrptw_offer
