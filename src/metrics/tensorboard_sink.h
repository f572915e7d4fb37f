#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/metrics/append_file.h"
#include "src/metrics/report.h"

namespace dray {

// An event file that TensorBoard reads: every number of a report as a scalar of the metric's name,
// at the report's total_steps (its epoch where there is none).
class TensorBoardSink : public ReportSink {
 public:
  // Makes the folder and a new event file in it. resumed_after_step: the step that a resumed run
  // goes on from; TensorBoard then forgets what earlier files say about later steps.
  TensorBoardSink(const std::string& folder, std::optional<int64_t> resumed_after_step);

  // The settings of the run by their dotted paths, as YAML texts, for the HPARAMS tab. There is no
  // summary of the experiment: without one TensorBoard lists the settings and metrics of all runs
  // of a folder, whatever their tasks; with one, those of the first run alone.
  void WriteSettings(const std::vector<std::pair<std::string, std::string>>& settings);

  void Write(const Report& report) override;
  void Finish() override;

  const std::string& path() const { return path_; }

 private:
  void WriteRunSettings(const std::string& tag, const std::string& content);

  std::string path_;
  std::optional<AppendFile> file_;
  std::set<std::string> described_;  // tags whose description is written
};

}  // namespace dray
