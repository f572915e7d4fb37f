#pragma once

#include <map>
#include <optional>
#include <string>

#include "src/output/append_file.h"
#include "src/search/trial.h"

namespace dray {

// File name within a search's folder.
inline constexpr char kTrialLogFile[] = "/trials.jsonl";

// The trials.jsonl of a search's folder: a line of JSON for each finished trial, handed to the
// operating system as soon as the trial has finished. Paths are relative to the folder, so that it
// can be moved.
class TrialLog {
 public:
  // Reads the existing trials. A last line torn by a crash is removed; any other invalid line is an
  // Error.
  explicit TrialLog(const std::string& folder);

  void Append(const FinishedTrial& finished, const std::string& workflow);

  // Finished trials by number.
  const std::map<int, FinishedTrial>& trials() const { return trials_; }

 private:
  std::string folder_;
  std::map<int, FinishedTrial> trials_;
  std::optional<AppendFile> file_;
};

}  // namespace dray
