#pragma once

#include <map>
#include <optional>
#include <string>

#include "src/metrics/append_file.h"
#include "src/search/trial.h"

namespace dray {

// Within a search's folder.
inline constexpr char kTrialLogFile[] = "/trials.jsonl";

// trials.jsonl of a search's folder: a line of JSON for each finished trial, with the operating
// system as soon as the trial has finished. Files of trials are named relative to the folder, so
// that it may be moved.
class TrialLog {
 public:
  // Reads what is there. A last line that a crash tore is removed; any other that is no trial is an
  // Error.
  explicit TrialLog(const std::string& folder);

  void Append(const FinishedTrial& finished, const std::string& workflow);

  // By number; those that finished.
  const std::map<int, FinishedTrial>& trials() const { return trials_; }

 private:
  std::string folder_;
  std::map<int, FinishedTrial> trials_;
  std::optional<AppendFile> file_;
};

}  // namespace dray
