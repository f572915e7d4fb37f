#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/metrics/report.h"

namespace dray {

// Number of columns that UTF-8 text takes on a terminal, not counting colour codes.
size_t DisplayWidth(std::string_view text);

// A line made of parts joined by middle dots, broken between two parts where it would become too
// wide. Empty parts are skipped.
class WrappedLine {
 public:
  void Add(std::string part) {
    if (!part.empty()) parts_.push_back(std::move(part));
  }
  // Adds the part that `format` makes of a metric, if the report has it.
  template <typename Format>
  void AddMetric(const Report& report, std::string_view name, Format format) {
    if (report.Has(name)) Add(format(report.Get(name)));
  }
  bool empty() const { return parts_.empty(); }

  // Returns all parts on one line.
  std::string text() const;
  // Returns lines of at most `columns` characters, unless a single part is wider. `first` is put
  // before the first line, `rest` before the others.
  std::vector<std::string> Wrapped(size_t columns, std::string_view first,
                                   std::string_view rest) const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace dray
