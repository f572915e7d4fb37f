#include "src/output/jsonl_sink.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "src/base/file.h"
#include "src/base/json.h"
#include "src/metrics/table.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr std::string_view kLineStart = "{\"epoch\":";

// Returns the epoch of a complete line written by ReportJson; nothing for other text.
std::optional<int64_t> EpochOf(std::string_view line) {
  if (!line.starts_with(kLineStart) || !line.ends_with('}')) return std::nullopt;
  line.remove_prefix(kLineStart.size());
  int64_t epoch = 0;
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), epoch);
  if (parsed.ec != std::errc() || (*parsed.ptr != ',' && *parsed.ptr != '}')) return std::nullopt;
  return epoch;
}

std::string KeptLines(std::string_view text, int64_t keep_through_epoch) {
  std::string kept;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    const auto epoch = EpochOf(text.substr(0, end));
    if (epoch.has_value() && *epoch <= keep_through_epoch) kept += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
  }
  return kept;
}

void RemoveLaterLines(const std::string& path, int64_t keep_through_epoch) {
  if (!std::filesystem::is_regular_file(path)) return;
  const std::string text = ReadFile(path);
  const std::string kept = KeptLines(text, keep_through_epoch);
  if (kept != text) WriteFileAtomically(path, kept);
}

}  // namespace

std::string ReportJson(const Report& report) {
  std::string json(kLineStart);
  json += std::to_string(report.epoch);
  // Names need no escaping; the table and the rule for environments' names ensure that.
  for (const auto& [name, value] : report.values) {
    json += ",\"" + name + "\":" + JsonNumber(value);
  }
  return json + "}";
}

JsonlSink::JsonlSink(const std::string& path, int64_t keep_through_epoch) {
  RemoveLaterLines(path, keep_through_epoch);
  file_.emplace(path);
}

void JsonlSink::Write(const Report& report) { file_->Append(ReportJson(report) + "\n"); }

std::vector<Report> ReadReports(const std::string& path) {
  std::vector<Report> reports;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!EpochOf(line)) continue;
    const Json json = ParsedJson(line);
    if (!json.is_object()) continue;
    Report& report = reports.emplace_back();
    for (const auto& [name, value] : json.items()) {
      if (value.is_number() && IsMetricName(name)) report.Record(name, value.get<double>());
    }
  }
  return reports;
}

}  // namespace dray
