#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/metrics/report.h"
#include "src/output/append_file.h"

namespace dray {

// Formats a report as one line of JSON, without its newline: `epoch` first, then the values in
// order. Numbers are formatted by JsonNumber.
std::string ReportJson(const Report& report);

// Writes metrics.jsonl, one line per report, handed to the operating system line by line.
class JsonlSink : public ReportSink {
 public:
  // keep_through_epoch: the epoch from which a resumed run continues. Lines of later epochs, which
  // it will write again, and a last line torn by a crash are removed first. -1: start afresh.
  JsonlSink(const std::string& path, int64_t keep_through_epoch);

  void Write(const Report& report) override;
  // Makes all lines survive a loss of power; see AppendFile::Sync.
  void Sync() { file_->Sync(); }

 private:
  std::optional<AppendFile> file_;
};

// Reads the reports of a metrics.jsonl. Metrics that this version does not know are skipped.
std::vector<Report> ReadReports(const std::string& path);

}  // namespace dray
