#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "src/config/config.pb.h"

namespace dray {

// What a search needs of a task: the items that its workflows are orders of, by name, and how an
// order is written into its settings. A task without workflows is an Error.
std::vector<std::string> OrderItems(const Config& config);
// `order` has indices into OrderItems, first things first.
void SetOrder(Config& config, std::span<const int> order);

// Both, for a test that searches over the settings of a task without workflows.
struct WorkflowTask {
  std::function<std::vector<std::string>(const Config&)> order_items = OrderItems;
  std::function<void(Config&, std::span<const int>)> set_order = SetOrder;
};

// The episode statistics that a search goes by; a task without them is judged by its reward alone.
inline constexpr char kReturnStat[] = "env_return";      // without what rewards following the order
inline constexpr char kComplianceStat[] = "compliance";  // share of actions that followed it

}  // namespace dray
