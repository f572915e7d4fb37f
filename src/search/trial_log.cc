#include "src/search/trial_log.h"

#include <filesystem>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

std::string LineOf(const FinishedTrial& finished, const std::string& workflow) {
  const auto& [trial, result] = finished;
  const Json line = {{"trial", trial.number},
                     {"order", trial.order},
                     {"workflow", workflow},
                     {"seed", trial.seed},
                     {"init_from", trial.init_from},
                     {"return_mean", result.mean_return},
                     {"return_variance", result.return_variance},
                     {"episodes", result.episodes},
                     {"compliance", result.compliance},
                     {"updates", result.updates},
                     {"stopped_early", result.stopped_early},
                     {"seconds", result.seconds},
                     {"checkpoint", result.checkpoint}};
  return JsonText(line) + "\n";
}

FinishedTrial Parse(const std::string& line) {
  const Json json = Json::parse(line);
  const auto number = [&](const char* key) {
    const Json& value = json.at(key);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  };
  FinishedTrial finished;
  Trial& trial = finished.trial;
  json.at("trial").get_to(trial.number);
  json.at("order").get_to(trial.order);
  json.at("seed").get_to(trial.seed);
  json.at("init_from").get_to(trial.init_from);
  TrialResult& result = finished.result;
  result.mean_return = number("return_mean");
  result.return_variance = number("return_variance");
  json.at("episodes").get_to(result.episodes);
  result.compliance = number("compliance");
  json.at("updates").get_to(result.updates);
  json.at("stopped_early").get_to(result.stopped_early);
  result.seconds = number("seconds");
  json.at("checkpoint").get_to(result.checkpoint);
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
    } catch (const Json::exception&) {
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
