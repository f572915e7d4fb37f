#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/metrics/append_file.h"
#include "src/metrics/report.h"

namespace dray {

// One JSON object on one line, without its newline. `epoch` comes first, then the values in their
// order; numbers in the shortest form that reads back as the same double, whole numbers without a
// point or exponent, what is not finite as null.
std::string ReportJson(const Report& report);

// metrics.jsonl: one line per report, handed to the operating system line by line.
class JsonlSink : public ReportSink {
 public:
  // keep_through_epoch: the epoch that a resumed run goes on from. Lines of later epochs, which it
  // will write again, and a last line torn by a crash are removed first. -1: starts afresh.
  JsonlSink(const std::string& path, int64_t keep_through_epoch);

  void Write(const Report& report) override;
  // As AppendFile's.
  void Sync() { file_->Sync(); }

 private:
  std::optional<AppendFile> file_;
};

// The reports of a metrics.jsonl; metrics that this version does not know are left out.
std::vector<Report> ReadReports(const std::string& path);

}  // namespace dray
