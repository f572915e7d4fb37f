#include "src/search/workflow_task.h"

#include "src/base/error.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/workflow.h"

namespace dray {
namespace {

void CheckHasWorkflows(const Config& config) {
  const bool is_cage2 = config.env().name() == "cage2";
  if (!is_cage2) {
    throw UsageError("env.name: ", config.env().name(),
                     ": this task has no workflows to search over; name one that has: cage2");
  }
  if (!config.env().GetExtension(Cage2Config::cage2).workflow().enabled()) {
    throw UsageError(
        "env.cage2.workflow.enabled: is false: there is no workflow to search over; set it, or use "
        "--config cage2_workflow");
  }
}

}  // namespace

std::vector<std::string> OrderItems(const Config& config) {
  CheckHasWorkflows(config);
  std::vector<std::string> names;
  for (int unit = 0; unit < cage2::kUnits; ++unit) {
    names.emplace_back(cage2::NameOf(static_cast<cage2::Unit>(unit)));
  }
  return names;
}

void SetOrder(Config& config, std::span<const int> order) {
  CheckHasWorkflows(config);
  Cage2WorkflowConfig* workflow =
      config.mutable_env()->MutableExtension(Cage2Config::cage2)->mutable_workflow();
  workflow->clear_order();
  for (const int unit : order) workflow->add_order(static_cast<Cage2WorkflowConfig::Unit>(unit));
}

}  // namespace dray
