#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dray {

// The numbers of one report, in the order they were recorded. Names are those of the table in
// metrics/table.cc; `epoch` is the field and is not repeated among the values.
struct Report {
  int64_t epoch = 0;
  std::vector<std::pair<std::string, double>> values;

  // Adds a number, or replaces the one of that name; a name that the table does not know is a bug.
  void Record(std::string_view name, double value);
  bool Has(std::string_view name) const;
  // The number of that name; NaN when it was not recorded.
  double Get(std::string_view name) const;
};

// Receives every report of a run. Its functions throw Error when it cannot keep what they are told
// (disk full).
class ReportSink {
 public:
  virtual ~ReportSink() = default;
  virtual void Write(const Report& report) = 0;
  // The run reached its limit or goal; one that is stopped and may be resumed does not.
  virtual void Finish() {}
};

}  // namespace dray
