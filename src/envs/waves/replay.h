#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "src/envs/waves/instance.h"
#include "src/envs/waves/recorded_day.h"

namespace dray::waves {

// Result of playing a recorded day again.
struct ReplayedDay {
  std::string fault;  // first rule that the routes break; empty: the day was accepted
  int64_t cost = 0;   // driving time in seconds, if accepted

  bool accepted() const { return fault.empty(); }
};

// Plays a recorded day by the rules of Day.
ReplayedDay Replay(const RecordedDay& recorded, std::shared_ptr<const Instance> instance);

// Instances by file, each read once.
class InstanceFiles {
 public:
  std::shared_ptr<const Instance> Get(const std::string& path);

 private:
  std::map<std::string, std::shared_ptr<const Instance>> read_;
};

}  // namespace dray::waves
