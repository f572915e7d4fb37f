#include "src/search/trial_log.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

std::string Text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string LineOf(const FinishedTrial& finished, const std::string& workflow) {
  const auto& [trial, result] = finished;
  return Cat("{\"trial\": ", trial.number, ", \"order\": ", trial.order,
             ", \"workflow\": ", Text(workflow), ", \"seed\": ", trial.seed,
             ", \"init_from\": ", Text(trial.init_from),
             ", \"return_mean\": ", JsonNumber(result.mean_return),
             ", \"return_variance\": ", JsonNumber(result.return_variance),
             ", \"episodes\": ", result.episodes,
             ", \"compliance\": ", JsonNumber(result.compliance), ", \"updates\": ", result.updates,
             ", \"stopped_early\": ", result.stopped_early ? "true" : "false",
             ", \"seconds\": ", JsonNumber(result.seconds),
             ", \"checkpoint\": ", Text(result.checkpoint), "}\n");
}

// JSON is YAML, and yaml-cpp is there.
FinishedTrial Parse(const std::string& line) {
  const YAML::Node node = YAML::Load(line);
  const auto number = [&](const char* key) {
    return node[key].IsNull() ? std::numeric_limits<double>::quiet_NaN() : node[key].as<double>();
  };
  FinishedTrial finished;
  Trial& trial = finished.trial;
  trial.number = node["trial"].as<int>();
  trial.order = node["order"].as<int>();
  trial.seed = node["seed"].as<uint64_t>();
  trial.init_from = node["init_from"].as<std::string>();
  TrialResult& result = finished.result;
  result.mean_return = number("return_mean");
  result.return_variance = number("return_variance");
  result.episodes = node["episodes"].as<int64_t>();
  result.compliance = number("compliance");
  result.updates = node["updates"].as<int64_t>();
  result.stopped_early = node["stopped_early"].as<bool>();
  result.seconds = number("seconds");
  result.checkpoint = node["checkpoint"].as<std::string>();
  return finished;
}

std::string Below(const std::string& folder, const std::string& path) {
  return path.empty() ? path : fs::path(path).lexically_relative(folder).string();
}

std::string Within(const std::string& folder, const std::string& path) {
  return path.empty() ? path : Cat(folder, "/", path);
}

}  // namespace

TrialLog::TrialLog(const std::string& folder) : folder_(folder) {
  const std::string path = folder + kTrialLogFile;
  const std::string text = fs::exists(path) ? ReadFile(path) : "";
  size_t begin = 0;
  for (int line = 1;; ++line) {
    const size_t end = text.find('\n', begin);
    if (end == text.npos) break;  // the rest, if any, is torn
    try {
      FinishedTrial one = Parse(text.substr(begin, end - begin));
      one.trial.init_from = Within(folder, one.trial.init_from);
      one.result.checkpoint = Within(folder, one.result.checkpoint);
      trials_[one.trial.number] = one;
    } catch (const YAML::Exception&) {
      throw Failure(path, ":", line,
                    ": this line is no trial; remove it, and its trial is done again");
    }
    begin = end + 1;
  }
  if (begin < text.size()) WriteFileAtomically(path, std::string_view(text).substr(0, begin));
  file_.emplace(path);
}

void TrialLog::Append(const FinishedTrial& finished, const std::string& workflow) {
  FinishedTrial relative = finished;
  relative.trial.init_from = Below(folder_, finished.trial.init_from);
  relative.result.checkpoint = Below(folder_, finished.result.checkpoint);
  file_->Append(LineOf(relative, workflow));
  trials_[finished.trial.number] = finished;
}

}  // namespace dray
