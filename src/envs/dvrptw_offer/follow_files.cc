#include "src/envs/dvrptw_offer/follow_files.h"

#include <algorithm>

#include "src/config/user_path.h"
#include "src/envs/delivery/customer_count.h"
#include "src/envs/dvrptw_offer/customer_source.h"

namespace dray::dvrptw_offer {

void FollowFiles(DvrptwOfferConfig* config) {
  if (config->has_num_customers() || config->instance().empty()) return;
  const int customers = ReadCustomers(*config).requests.size();
  delivery::SetCustomers(std::min(customers, config->num_customers()), UserPath(config->instance()),
                         "customers", config);
}

}  // namespace dray::dvrptw_offer
