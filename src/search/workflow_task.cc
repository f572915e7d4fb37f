#include "src/search/workflow_task.h"

#include "src/base/error.h"

namespace dray {
namespace {

Error NoWorkflows(const Config& config) {
  return UsageError("env.name: ", config.env().name(),
                    ": this task has no workflows to search over; name one that has");
}

}  // namespace

std::vector<std::string> OrderItems(const Config& config) { throw NoWorkflows(config); }

void SetOrder(Config& config, std::span<const int> /*order*/) { throw NoWorkflows(config); }

}  // namespace dray
