#include "src/envs/dvrptw/follow_files.h"

#include "src/config/user_path.h"
#include "src/envs/delivery/customer_count.h"
#include "src/routing/trips.h"

namespace dray::dvrptw {

void FollowFiles(DvrptwConfig* config) {
  if (config->has_num_customers() || config->trips().empty()) return;
  const std::string file = UserPath(config->trips());
  delivery::SetCustomers(CountRiders(file), file, "riders", config);
}

}  // namespace dray::dvrptw
