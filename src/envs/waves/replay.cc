#include "src/envs/waves/replay.h"

#include <utility>

#include "src/base/error.h"

namespace dray::waves {

ReplayedDay Replay(const RecordedDay& recorded, std::shared_ptr<const Instance> instance) {
  for (const auto& [epoch, routes] : recorded.epochs) {
    if (instance->first_epoch <= epoch && epoch <= instance->last_epoch) continue;
    return {.fault = Cat("there is no epoch ", epoch, "; the day has epochs ",
                         instance->first_epoch, " to ", instance->last_epoch)};
  }
  Day day(std::move(instance), recorded.seed);
  while (!day.done()) {
    const auto planned = recorded.epochs.find(day.epoch());
    const Routes routes = planned == recorded.epochs.end() ? Routes() : planned->second;
    if (const std::optional<std::string> fault = day.FindFault(routes)) {
      return {.fault = Cat("epoch ", day.epoch(), ": ", *fault)};
    }
    day.Dispatch(routes);
  }
  return {.fault = "", .cost = day.cost()};
}

std::shared_ptr<const Instance> InstanceFiles::Get(const std::string& path) {
  std::shared_ptr<const Instance>& instance = read_[path];
  if (!instance) instance = std::make_shared<const Instance>(ReadInstance(path));
  return instance;
}

}  // namespace dray::waves
