#pragma once

#include <deque>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/env/env.h"
#include "src/metrics/report.h"

namespace dray {

// The newest 100 episodes of a run; reports have their mean return and length.
class EpisodeWindow {
 public:
  explicit EpisodeWindow(std::vector<std::string> stat_names)
      : stat_names_(std::move(stat_names)) {}

  const std::vector<std::string>& stat_names() const { return stat_names_; }
  void Add(const Episode& episode);
  // Records the episode/ metrics; nothing until the first episode has ended.
  void RecordInto(Report& report) const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  static constexpr size_t kSize = 100;

  std::vector<std::string> stat_names_;
  std::deque<Episode> episodes_;
};

}  // namespace dray
