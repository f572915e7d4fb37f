#include "src/envs/dvrptw/follow_files.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/config/fields.h"
#include "src/config/user_path.h"
#include "src/envs/dvrptw/offer_source.h"
#include "src/routing/trips.h"

namespace dray {
namespace {

void SetCustomers(int count, const std::string& file, const char* who, DvrptwConfig* config) {
  const Rule& rule = RuleOf(*FindField(*DvrptwConfig::descriptor(), "num_customers"));
  if (count < rule.min() || count > rule.max()) {
    throw UsageError(file, ": has ", count, " ", who, "; a day has from ", rule.min(), " to ",
                     rule.max(), ", so ", count < rule.min() ? "add some" : "split the file");
  }
  config->set_num_customers(count);
}

}  // namespace

void FollowFiles(DvrptwConfig* config) {
  if (config->has_num_customers()) return;
  if (config->mode() == DvrptwConfig::NEGOTIATE && !config->trips().empty()) {
    const std::string file = UserPath(config->trips());
    SetCustomers(CountRiders(file), file, "riders", config);
  }
  if (config->mode() == DvrptwConfig::OFFER && !config->instance().empty()) {
    const int customers = ReadCustomers(*config).requests.size();
    SetCustomers(std::min(customers, config->num_customers()), UserPath(config->instance()),
                 "customers", config);
  }
}

}  // namespace dray
