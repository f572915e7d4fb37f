#include "src/loop/metric_accumulator.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"

namespace dray {
namespace {

double Combined(Combine combine, std::vector<double> values) {
  if (combine == Combine::kMedian) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  }
  if (combine == Combine::kLast) return values.back();
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return combine == Combine::kMean ? sum / values.size() : sum;
}

}  // namespace

MetricAccumulator::MetricAccumulator(const std::vector<RolloutStat>& stats) {
  for (const RolloutStat& stat : stats) {
    const std::string name = Cat(kRolloutStatPrefix, stat.name);
    const bool sum = stat.over == RolloutStat::Over::kSum;
    series_.push_back({name, sum ? Combine::kSum : Combine::kMean});
    if (stat.over == RolloutStat::Over::kQuotient) {
      quotients_.push_back(
          {name, Cat(kRolloutStatPrefix, stat.part), Cat(kRolloutStatPrefix, stat.whole)});
    }
  }
}

MetricAccumulator::Series& MetricAccumulator::Find(std::string_view name) {
  const auto known = std::ranges::find(series_, name, &Series::name);
  if (known != series_.end()) return *known;
  const Metric* metric = FindMetric(name);
  DRAY_CHECK(metric != nullptr);
  return series_.emplace_back(Series{std::string(name), metric->combine});
}

void MetricAccumulator::Add(std::string_view name, double value) {
  Find(name).values.push_back(value);
}

void MetricAccumulator::Add(const Report& values) {
  for (const auto& [name, value] : values.values) Add(name, value);
}

void MetricAccumulator::TakeInto(Report& report) {
  for (Series& series : series_) {
    if (series.values.empty()) continue;
    const double value = Combined(series.combine, series.values);
    report.Record(series.name, value);
    series.values.clear();
    if (series.combine == Combine::kTotal) series.values.push_back(value);
  }
  for (const Quotient& quotient : quotients_) {
    if (!report.Has(quotient.whole)) continue;
    const double whole = report.Get(quotient.whole);
    report.Record(quotient.name, whole > 0 ? report.Get(quotient.part) / whole : 0);
  }
}

}  // namespace dray
