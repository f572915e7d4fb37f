#include "src/output/tensorboard_sink.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "src/base/bytes.h"
#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/metrics/table.h"
#include "src/output/event.pb.h"

namespace dray {
namespace {

using tensorboard::Event;
using tensorboard::RunSettings;
using tensorboard::SessionLog;
using tensorboard::Summary;

std::string HostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

constexpr std::string_view kNameStart = "events.out.tfevents.";

// Returns the seconds in the name of the newest event file; 0 if the folder has none.
int64_t SecondsOfNewest(const std::string& folder) {
  int64_t newest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kNameStart)) continue;
    int64_t seconds = 0;
    std::from_chars(name.data() + kNameStart.size(), name.data() + name.size(), seconds);
    newest = std::max(newest, seconds);
  }
  return newest;
}

// TensorBoard reads a folder's event files in the order of their names, that is, of the seconds in
// them. The new file must therefore be newer than all others, even if a run is resumed within the
// same second or the clock was set back.
std::string NewPath(const std::string& folder) {
  const int64_t now = std::max<int64_t>(UnixSeconds(), SecondsOfNewest(folder) + 1);
  char seconds[24];
  std::snprintf(seconds, sizeof(seconds), "%010lld", static_cast<long long>(now));
  return Cat(folder, "/", kNameStart, seconds, ".", HostName(), ".dray");
}

uint32_t MaskedCrc(std::string_view bytes) {
  const uint32_t crc = Crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

// Writes a TFRecord: length, checksum of the length, bytes, checksum of the bytes.
std::string Record(Event event) {
  event.set_wall_time(UnixSeconds());
  const std::string bytes = event.SerializeAsString();
  ByteWriter length;
  length.Put<uint64_t>(bytes.size());
  ByteWriter record;
  record.Put<uint64_t>(bytes.size());
  record.Put<uint32_t>(MaskedCrc(length.bytes()));
  std::string framed = record.Take() + bytes;
  ByteWriter checksum;
  checksum.Put<uint32_t>(MaskedCrc(bytes));
  return framed + checksum.bytes();
}

// TensorBoard groups tags by what precedes the first slash, so counters without one get a group
// too.
std::string TagOf(std::string_view name) {
  return Cat(name.find('/') == std::string_view::npos ? "counters/" : "", name);
}

void AddScalar(Summary& summary, std::string_view name, double number, bool describe) {
  constexpr int kScalar = 1;
  Summary::Value& value = *summary.add_value();
  value.set_tag(TagOf(name));
  value.set_simple_value(number);
  if (!describe) return;
  // Without a plugin the description is not shown and Python's reader warns.
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name("scalars");
  value.mutable_metadata()->set_data_class(kScalar);
  const Metric* metric = FindMetric(name);
  if (metric == nullptr) return;
  value.mutable_metadata()->set_summary_description(
      Cat(metric->help, metric->unit.empty() ? "" : Cat(" (", metric->unit, ")")));
}

// Numbers and booleans keep their type; everything else, including lists, becomes text.
google::protobuf::Value AsValue(const std::string& yaml) {
  google::protobuf::Value value;
  double number = 0;
  const char* end = yaml.data() + yaml.size();
  const auto [rest, error] = std::from_chars(yaml.data(), end, number);
  if (yaml == "true" || yaml == "false") {
    value.set_bool_value(yaml == "true");
  } else if (!yaml.empty() && error == std::errc() && rest == end && std::isfinite(number)) {
    value.set_number_value(number);
  } else {
    const bool quoted = yaml.size() >= 2 && yaml.front() == '"' && yaml.back() == '"';
    value.set_string_value(quoted ? yaml.substr(1, yaml.size() - 2) : yaml);
  }
  return value;
}

int64_t StepOf(const Report& report) {
  const double steps = report.Get("total_steps");
  return std::isfinite(steps) ? static_cast<int64_t>(steps) : report.epoch;
}

}  // namespace

TensorBoardSink::TensorBoardSink(const std::string& folder,
                                 std::optional<int64_t> resumed_after_step) {
  MakeWritableFolder(folder);
  path_ = NewPath(folder);
  file_.emplace(path_);
  Event version;
  version.set_file_version("brain.Event:2");
  file_->Append(Record(version));
  if (!resumed_after_step.has_value()) return;
  Event start;
  start.set_step(*resumed_after_step + 1);
  start.mutable_session_log()->set_status(SessionLog::START);
  file_->Append(Record(start));
}

void TensorBoardSink::Write(const Report& report) {
  Event event;
  event.set_step(StepOf(report));
  const auto add = [&](const std::string& name, double value) {
    // TensorBoard takes a scalar's description from its first value.
    AddScalar(*event.mutable_summary(), name, value, /*describe=*/described_.insert(name).second);
  };
  add("epoch", report.epoch);
  for (const auto& [name, value] : report.values) add(name, value);
  file_->Append(Record(event));
}

void TensorBoardSink::WriteSettings(
    const std::vector<std::pair<std::string, std::string>>& settings) {
  constexpr size_t kLongest = 200;  // longer ones are policies embedded in the settings
  RunSettings start;
  start.mutable_session_start_info()->set_start_time_secs(UnixSeconds());
  auto& hparams = *start.mutable_session_start_info()->mutable_hparams();
  for (const auto& [path, yaml] : settings) {
    if (yaml.size() <= kLongest) hparams[path] = AsValue(yaml);
  }
  WriteRunSettings("_hparams_/session_start_info", start.SerializeAsString());
}

void TensorBoardSink::Finish() {
  RunSettings end;
  end.mutable_session_end_info()->set_status(RunSettings::SUCCESS);
  end.mutable_session_end_info()->set_end_time_secs(UnixSeconds());
  WriteRunSettings("_hparams_/session_end_info", end.SerializeAsString());
}

void TensorBoardSink::WriteRunSettings(const std::string& tag, const std::string& content) {
  constexpr int kFloat = 1, kTensor = 2;
  Event event;
  Summary::Value& value = *event.mutable_summary()->add_value();
  value.set_tag(tag);
  // The contents are in the metadata, but a series must have values, even empty ones.
  value.mutable_tensor()->set_dtype(kFloat);
  value.mutable_tensor()->mutable_tensor_shape()->add_dim();
  value.mutable_metadata()->set_data_class(kTensor);
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name("hparams");
  value.mutable_metadata()->mutable_plugin_data()->set_content(content);
  file_->Append(Record(event));
}

}  // namespace dray
