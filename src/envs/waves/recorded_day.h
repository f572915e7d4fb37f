#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/envs/waves/day.h"

namespace dray::waves {

// A day as somebody played it: a line of a file of days.
struct RecordedDay {
  std::string where;             // file and line, for messages
  std::string instance;          // file of the instance
  uint64_t seed = 0;             // seeds the day's requests
  std::optional<int64_t> cost;   // driving time in seconds, if recorded
  std::map<int, Routes> epochs;  // routes of each epoch; none for an epoch that is missing
};

// Parses lines of JSON: {"instance": "FILE", "seed": 7, "cost": 100, "epochs": {"0": [[3, 1]]}}.
// Files of instances are relative to the folder of `path`. Mistakes are one-line Errors that name
// the file, the line and the field.
std::vector<RecordedDay> ParseDays(const std::string& path, std::string_view text);
std::vector<RecordedDay> ReadDays(const std::string& path);

// Returns the line that ParseDays reads for a day that is over.
std::string LineOf(const Day& day, const std::string& instance);

}  // namespace dray::waves
