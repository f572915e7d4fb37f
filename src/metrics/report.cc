#include "src/metrics/report.h"

#include <limits>

#include "src/base/error.h"
#include "src/metrics/table.h"

namespace dray {
namespace {

const double* Find(const Report& report, std::string_view name) {
  for (const auto& [recorded, value] : report.values) {
    if (recorded == name) return &value;
  }
  return nullptr;
}

}  // namespace

void Report::Record(std::string_view name, double value) {
  if (!IsMetricName(name)) {
    CheckFailed(__FILE__, __LINE__, "IsMetricName(name)", Cat(" (metric ", name, ")"));
  }
  if (name == "epoch") {
    epoch = value;
    return;
  }
  for (auto& [recorded, old] : values) {
    if (recorded == name) {
      old = value;
      return;
    }
  }
  values.emplace_back(name, value);
}

bool Report::Has(std::string_view name) const {
  return name == "epoch" || Find(*this, name) != nullptr;
}

double Report::Get(std::string_view name) const {
  if (name == "epoch") return epoch;
  const double* value = Find(*this, name);
  return value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value;
}

void Report::SaveValues(ByteWriter& out) const {
  out.Put<uint64_t>(values.size());
  for (const auto& [name, value] : values) {
    out.PutString(name);
    out.Put(value);
  }
}

void Report::LoadValues(ByteReader& in) {
  values.clear();
  const auto count = in.Get<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    std::string name = in.GetString();
    values.emplace_back(std::move(name), in.Get<double>());
  }
}

}  // namespace dray
