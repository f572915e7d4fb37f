#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/bytes.h"

namespace dray {

// The numbers of one report, in the order they were recorded. Their names are those of the table in
// metrics/table.cc; `epoch` is a field of its own and not repeated among the values.
struct Report {
  int64_t epoch = 0;
  std::vector<std::pair<std::string, double>> values;

  // Adds a number, or replaces an existing one. A name that the table does not know is a bug.
  void Record(std::string_view name, double value);
  bool Has(std::string_view name) const;
  // Returns a number by name; NaN if it was not recorded.
  double Get(std::string_view name) const;

  // Write and read the values, without the epoch. Names are not checked.
  void SaveValues(ByteWriter& out) const;
  void LoadValues(ByteReader& in);
};

// Receives every report of a run. Throws an Error if it cannot store them (disk full).
class ReportSink {
 public:
  virtual ~ReportSink() = default;
  virtual void Write(const Report& report) = 0;
  // Called when the run has reached its limit or goal, but not when it is stopped and may be
  // resumed.
  virtual void Finish() {}
};

}  // namespace dray
