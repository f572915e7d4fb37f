#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/metrics/report.h"

namespace dray {

// Signs that a UTF-8 text takes on a terminal: escape codes for colours take none.
size_t DisplayWidth(std::string_view text);

// Parts of a line, joined by middle dots and broken between two parts where it would become too
// wide. An empty part is left out.
class WrappedLine {
 public:
  void Add(std::string part) {
    if (!part.empty()) parts_.push_back(std::move(part));
  }
  // Adds the part that `format` makes of a metric, when the report has it.
  template <typename Format>
  void AddMetric(const Report& report, std::string_view name, Format format) {
    if (report.Has(name)) Add(format(report.Get(name)));
  }
  bool empty() const { return parts_.empty(); }

  // On one line.
  std::string text() const;
  // Lines of at most `columns` signs, unless a single part is wider; `first` comes before the first
  // one, `rest` before the others.
  std::vector<std::string> Wrapped(size_t columns, std::string_view first,
                                   std::string_view rest) const;

 private:
  std::vector<std::string> parts_;
};

}  // namespace dray
