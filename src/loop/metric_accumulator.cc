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
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return combine == Combine::kMean ? sum / static_cast<double>(values.size()) : sum;
}

}  // namespace

MetricAccumulator::MetricAccumulator(const std::vector<RolloutStat>& stats) {
  for (const RolloutStat& stat : stats) {
    const bool mean = stat.over == RolloutStat::Over::kMean;
    series_.push_back({Cat(kRolloutStatPrefix, stat.name), mean ? Combine::kMean : Combine::kSum});
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
}

}  // namespace dray
