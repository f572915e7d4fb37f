#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/metrics/report.h"
#include "src/output/append_file.h"

namespace dray {

// Writes an event file for TensorBoard: every number of a report as a scalar, at the report's
// total_steps (at its epoch if there is none).
class TensorBoardSink : public ReportSink {
 public:
  // Creates the folder and a new event file in it. resumed_after_step: the step from which a
  // resumed run continues; TensorBoard then discards later steps of earlier files.
  TensorBoardSink(const std::string& folder, std::optional<int64_t> resumed_after_step);

  // Writes the settings of the run for the HPARAMS tab, as dotted paths and YAML values. There is
  // no experiment summary: without one, TensorBoard lists the settings and metrics of all runs of a
  // folder, whatever their tasks; with one, only those of the first run.
  void WriteSettings(const std::vector<std::pair<std::string, std::string>>& settings);

  void Write(const Report& report) override;
  void Finish() override;

  const std::string& path() const { return path_; }

 private:
  void WriteRunSettings(const std::string& tag, const std::string& content);

  std::string path_;
  std::optional<AppendFile> file_;
  std::set<std::string> described_;  // tags that already have a description
};

}  // namespace dray
